import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Layers, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { splitExplanation } from '../../../shared/format/explanation.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { CopyButton } from '../../../shared/ui/controls/copy.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { KeyState } from '../../../shared/ui/data/key-state.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import styles from '../../../shared/ui/page/request-card.module.css';
import { RequestTimeline } from '../../../shared/ui/page/request-timeline.tsx';
import { LiftDialog, MovePlanDialog } from '../../actions/lazy-dialogs.ts';
import { keyQuery, type Usage, usageQuery, type VersionedKey } from '../../api/keys.ts';
import { operationsQuery } from '../../api/operations.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { KeyName } from '../../parts/keys/key-name.tsx';
import { OperationName } from '../../parts/operation-name.tsx';
import { useSession } from '../../session/session-context.ts';

type Refusal = Schemas['Explanation']['refusals'][number];

/** Codes of refusals that moving the key to another plan may prevent. */
const ABOUT_PLAN = new Set<unknown>([
  'rate_limit_exceeded',
  'quota_exceeded',
  'too_many_concurrent_requests',
  'cost_exceeds_limit',
  'operation_not_allowed',
]);

interface Props {
  readonly refusal: Refusal;
  /** True if the explanation belongs to a similar request, because the refusal of this one was not recorded. */
  readonly isOfAnother: boolean;
}

/** Explains why a request was refused: first the cause and what can be done about it, then the details. */
export function RefusalCard({ refusal, isOfAnother }: Props) {
  const { at, keyId, sentences, timeline, answer, facts } = refusal;
  const { cause, advice, rest } = splitExplanation(sentences, isOfAnother);
  return (
    <article className={styles.refusal}>
      <header>
        <h2>
          <Call facts={facts} />
        </h2>
        <Badge tone="refused" icon={TriangleAlert}>
          {`Refused with ${String(facts['status'])} ${String(facts['code'])}`}
        </Badge>
        <KeyName id={keyId} />
        <Time at={at} />
      </header>
      {cause !== undefined && (
        <p className={styles.cause}>
          <bdi>{cause}</bdi>
        </p>
      )}
      {advice !== undefined && (
        <p>
          <strong>What to do:</strong> <bdi>{advice}</bdi>
        </p>
      )}
      <Actions keyId={keyId} code={facts['code']} />
      <div className={styles.evidence}>
        {answer !== undefined && (
          <section aria-label="Reply to the customer">
            <header>
              <h3>Reply to the customer</h3>
              <CopyButton text={answer} />
            </header>
            <pre>{answer}</pre>
          </section>
        )}
        <RequestTimeline steps={timeline} refusedAt={at} />
      </div>
      <details>
        <summary>Details of the decision</summary>
        <p className={styles.rest}>
          {rest.map((sentence) => (
            <bdi key={sentence}>{sentence} </bdi>
          ))}
        </p>
        <pre>{JSON.stringify(facts, null, 2)}</pre>
      </details>
      <Link to="/bans" search={{ q: keyId }}>
        Bans on this key
      </Link>
    </article>
  );
}

/** The method and path of the operation, or the requested path if it belongs to no operation. */
function Call({ facts: { method, operation, path } }: Pick<Refusal, 'facts'>) {
  const operations = useQuery(operationsQuery).data;
  if (typeof operation !== 'string') return <code>{`${String(method)} ${String(path)}`}</code>;
  return <OperationName id={operation} operation={operations?.find(({ id }) => id === operation)} />;
}

/** Shows the present state of the refused key, and actions on it. */
function Actions({ keyId, code }: { readonly keyId: string; readonly code: unknown }) {
  const key = useQuery(keyQuery(keyId)).data;
  const usage = useQuery(usageQuery(keyId, true)).data;
  return (
    <>
      {key !== undefined && usage !== undefined && <Now apiKey={key} usage={usage} />}
      {key !== undefined && <KeyActions apiKey={key} usage={usage} code={code} />}
    </>
  );
}

function Now({ apiKey, usage }: { readonly apiKey: VersionedKey; readonly usage: Usage }) {
  const full = usage.windows.findLast(({ remaining }) => remaining === 0);
  const { ban } = usage;
  return (
    <p className={styles.now}>
      <strong>The key now:</strong> <KeyState apiKey={apiKey} banned={ban !== null} />
      <span>
        {ban !== null ? (
          <>
            The ban ends <Time at={ban.until} />.
          </>
        ) : full !== undefined ? (
          <>
            The limit for this {full.name} is used up. It resets <Time at={full.resetsAt} />.
          </>
        ) : (
          'Not banned, and within its limits.'
        )}
      </span>
    </p>
  );
}

interface KeyActionsProps {
  readonly apiKey: VersionedKey;
  readonly usage: Usage | undefined;
  readonly code: unknown;
}

function KeyActions({ apiKey, usage, code }: KeyActionsProps) {
  const { canChange } = useSession();
  const [opened, setOpened] = useState<'lift' | 'move' | null>(null);
  if (!canChange || apiKey.status === 'revoked') return null;
  const close = () => setOpened(null);
  return (
    <div className={styles.actions}>
      {usage?.ban != null && (
        <Button icon={ShieldCheck} onClick={() => setOpened('lift')}>
          Lift the ban…
        </Button>
      )}
      {/* Only the newest key of a rotation chain can be moved to another plan. */}
      {ABOUT_PLAN.has(code) && apiKey.rotatedTo === null && (
        <Button icon={Layers} onClick={() => setOpened('move')}>
          Change the plan…
        </Button>
      )}
      {opened === 'lift' && <LiftDialog apiKey={apiKey} onClose={close} />}
      {opened === 'move' && <MovePlanDialog keys={[apiKey]} onClose={close} />}
    </div>
  );
}
