import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Download, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { saveBytes } from '../../../shared/behavior/save-file.ts';
import { formatBytes, formatMilliseconds } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { TryResponse } from '../../api/tried-call.ts';
import { explainHeader } from '../../reference/call/response-headers.ts';
import { isJson } from '../../reference/model/operation.ts';
import { ResponseBody } from './answer-body.tsx';
import styles from './operation-screen.module.css';

/** Statuses with which the gateway may have refused the call, so that a link to the explanation makes sense. */
const OF_THE_GATEWAY: ReadonlySet<number> = new Set([401, 403, 410, 413, 429, 502, 503, 504]);

const STATUS_WORDS: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [204, 'No Content'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [304, 'Not Modified'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

/** Shows the response to a tried call. It is shown as text, so nothing that a service sends is run or rendered. */
export function TriedResponse({ response }: { readonly response: TryResponse }) {
  const { status, headers, durationMs, requestId } = response;
  const shown = useRef<HTMLElement>(null);
  // Scroll to the response, because it is below the form and often outside of the window.
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, [response]);
  const remaining = headers['x-ratelimit-remaining'];
  const limit = headers['x-ratelimit-limit'];
  return (
    <article ref={shown} className={styles.answer} aria-label="Response">
      <div className={styles.answerHead} role="status">
        <Status status={status} />
        <span>{formatMilliseconds(durationMs)}</span>
        <span>{formatBytes(countBytes(response))}</span>
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
      <Body response={response} />
      <details>
        <summary>Headers ({Object.keys(headers).length})</summary>
        <dl className={styles.headers}>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
                <Meaning of={explainHeader(name, value)} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </article>
  );
}

function Status({ status }: { readonly status: number }) {
  const named = [status, STATUS_WORDS.get(status)].filter(Boolean).join(' ');
  if (status < 400) {
    return (
      <Badge tone="served" icon={CircleCheck}>
        {named}
      </Badge>
    );
  }
  return (
    <Badge tone={status < 500 ? 'refused' : 'failed'} icon={status < 500 ? TriangleAlert : CircleX}>
      {named}
    </Badge>
  );
}

function Meaning({ of }: { readonly of: string | null }) {
  return of === null ? null : <span className={styles.meaning}>{of}</span>;
}

/** The size of the body as it arrived, in bytes. */
function countBytes({ body, bodyEncoding }: TryResponse): number {
  if (bodyEncoding === 'utf8') return new TextEncoder().encode(body).length;
  return Math.floor((body.replace(/={0,2}$/, '').length * 3) / 4);
}

function Body({ response }: { readonly response: TryResponse }) {
  const { body, bodyEncoding, truncated, headers } = response;
  if (body === '') return <p className={styles.answerHead}>{truncated ? 'The body did not arrive.' : 'No body.'}</p>;
  const type = headers['content-type'] ?? 'application/octet-stream';
  return (
    <>
      {truncated && <p className={styles.answerHead}>Only the beginning of the body has arrived.</p>}
      {bodyEncoding === 'base64' ? (
        <p className={styles.answerHead}>
          The body is binary ({type}).
          <Button icon={Download} onClick={() => saveBytes(createFileName(type), decodeBytes(body))}>
            Download
          </Button>
        </p>
      ) : (
        <ResponseBody key={response.requestId} body={body} isJson={isJson(type)} />
      )}
    </>
  );
}

function decodeBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Creates a file name from the content type. The subtype is usually also the extension. */
function createFileName(type: string): string {
  const ending = /^[\w.+-]+\/([a-z0-9]{2,5})(?:;|$)/.exec(type)?.[1] ?? 'bin';
  return `response.${ending}`;
}
