import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { milliseconds } from '../../../shared/format/number.ts';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import type { TryAnswer } from '../../api/reference.ts';
import { prettyJson } from '../../../shared/format/pretty-json.ts';
import styles from './operation-screen.module.css';

/** The gateway's own responses. Only these calls are explained; services explain their own refusals. */
const OF_THE_GATEWAY: ReadonlySet<number> = new Set([401, 403, 410, 413, 429, 502, 503, 504]);

/** The response as text: nothing that a service sends is run or rendered here. */
export function AnswerView({ answer }: { readonly answer: TryAnswer }) {
  const { status, headers, durationMs, requestId } = answer;
  const shown = useRef<HTMLElement>(null);
  // It is below the form, and often below the window.
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  const remaining = headers['x-ratelimit-remaining'];
  const limit = headers['x-ratelimit-limit'];
  return (
    <article ref={shown} className={styles.answer} aria-label="Response">
      <div className={styles.answerHead} role="status">
        <Status status={status} />
        <span>{milliseconds(durationMs)}</span>
        {remaining !== undefined && limit !== undefined && (
          <span>
            {remaining} of {limit} units left
          </span>
        )}
        {OF_THE_GATEWAY.has(status) && requestId !== null && (
          <Link to="/requests" search={{ id: requestId }}>
            Why was it refused?
          </Link>
        )}
      </div>
      <Body answer={answer} />
      <details>
        <summary>Headers</summary>
        <ScrollBox label="Headers">
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </ScrollBox>
      </details>
    </article>
  );
}

function Status({ status }: { readonly status: number }) {
  if (status < 400) {
    return (
      <Badge tone="served" icon={CircleCheck}>
        {status}
      </Badge>
    );
  }
  return (
    <Badge tone={status < 500 ? 'refused' : 'failed'} icon={status < 500 ? TriangleAlert : CircleX}>
      {status}
    </Badge>
  );
}

function Body({ answer: { body, bodyEncoding, truncated } }: { readonly answer: TryAnswer }) {
  if (body === '') return <p className={styles.answerHead}>{truncated ? 'The body did not arrive.' : 'No body.'}</p>;
  if (bodyEncoding === 'base64')
    return <p className={styles.answerHead}>The body is binary ({body.length} characters in base64).</p>;
  const text = prettyJson(body);
  return (
    <div>
      {truncated && <p className={styles.answerHead}>Only the beginning of the body is shown.</p>}
      <div className={styles.answerHead}>
        Body <CopyIcon text={text} label="Copy the body" />
      </div>
      <ScrollBox label="Body">{text}</ScrollBox>
    </div>
  );
}
