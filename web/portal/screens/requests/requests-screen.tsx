import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Hourglass, SearchX } from 'lucide-react';
import { splitExplanation } from '../../../shared/format/explanation.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { Moment, Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import styles from '../../../shared/ui/page/request-card.module.css';
import { RequestSearch } from '../../../shared/ui/page/request-search.tsx';
import { RequestTimeline } from '../../../shared/ui/page/request-timeline.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { keysQuery, formatKeyLabel } from '../../api/keys.ts';
import { type Explanation, explanationQuery } from '../../api/refusals.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { OwnViolations } from './own-violations.tsx';
import { RecentRefusals, RefusedBadge } from './recent-refusals.tsx';

/** Explains why a call was refused, and what to do. */
export function RequestsScreen() {
  const { id = '' } = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  return (
    <Page title="Refused requests" summary={<p>Find out why a request was refused: choose one, or paste its id.</p>}>
      <RequestSearch key={id} id={id} onSearch={(wanted) => void navigate({ search: { id: wanted } })} />
      {id === '' ? (
        <>
          <RecentRefusals />
          <OwnViolations />
        </>
      ) : (
        <Explained id={id} />
      )}
    </Page>
  );
}

/**
 * The time between two attempts to find a request. Refusals are stored every ten seconds, and most users look
 * immediately, so the attempts go on for a bit longer.
 */
const ASK_AGAIN_MS = 2000;
const ATTEMPTS = 7;

function Explained({ id }: { readonly id: string }) {
  const explanation = useQuery({
    ...explanationQuery(id),
    refetchInterval: ({ state: { error, errorUpdateCount } }) =>
      isStatus(error, 404) && errorUpdateCount < ATTEMPTS ? ASK_AGAIN_MS : false,
  });
  const { errorUpdateCount: attempts } = explanation;
  if (explanation.isError && explanation.data === undefined && !isStatus(explanation.error, 404))
    return <ReadFailure query={explanation} what="the request" />;
  if (explanation.data === undefined && attempts > 0 && attempts < ATTEMPTS) {
    return (
      <>
        <Awaited />
        <RecentRefusals />
      </>
    );
  }
  if (explanation.isPending) return <Loading rows={4} label="Looking for the request" />;
  if (isStatus(explanation.error, 404)) {
    return (
      <>
        <Empty icon={SearchX} title="No record of this request">
          Possible reasons: the request had no valid key; the gateway did not refuse it (the body of a 400 or 404 from a
          service says why); or its refusal was not stored, because only some are, for 48 hours. One of the requests
          below may have been refused for the same reason.
        </Empty>
        <RecentRefusals />
      </>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="the request" />;
  return explanation.data.refusals.map((refusal) => (
    <Refusal
      key={`${refusal.at} ${refusal.keyId}`}
      refusal={refusal}
      isOfAnother={refusal.requestId !== explanation.data.requestId}
    />
  ));
}

function Awaited() {
  return (
    <div role="status">
      <Empty icon={Hourglass} title="Looking for this request">
        A request that was just refused can take ten seconds to appear.
      </Empty>
    </div>
  );
}

/** Codes of refusals that a larger plan may prevent. */
const OF_PLAN = new Set([
  'rate_limit_exceeded',
  'quota_exceeded',
  'too_many_concurrent_requests',
  'operation_not_allowed',
  'cost_exceeds_limit',
]);

/**
 * Says since when calls are possible again, because the advice recommends to wait. Renders nothing while they are not.
 */
function FreeSince({ timeline }: Pick<Explanation['refusals'][number], 'timeline'>) {
  const now = useNow();
  const free = timeline.find(({ event, at }) => event === 'free' && Date.parse(at) <= now);
  if (free === undefined) return null;
  return (
    <>
      Calls have been possible again since <Moment at={free.at} />. Next time,
    </>
  );
}

/** Explains a refusal: first the cause, then what to do, then the details. */
function Refusal({
  refusal: { at, keyId, sentences, timeline, facts },
  isOfAnother,
}: {
  readonly refusal: Explanation['refusals'][number];
  /** True if the explanation belongs to a similar request. */
  readonly isOfAnother: boolean;
}) {
  const { cause, advice, rest } = splitExplanation(sentences, isOfAnother);
  const key = useQuery(keysQuery).data?.items.find(({ id }) => id === keyId);
  return (
    <article className={styles.refusal}>
      <header>
        <h2>
          <RefusedBadge status={facts['status']} />
        </h2>
        <span>
          {key !== undefined && (
            <>
              <bdi>{formatKeyLabel(key)}</bdi>,{' '}
            </>
          )}
          <Time at={at} />
        </span>
      </header>
      {cause !== undefined && (
        <p className={styles.cause}>
          <bdi>{cause}</bdi>
        </p>
      )}
      {advice !== undefined && (
        <p>
          <strong>What to do:</strong> <FreeSince timeline={timeline} /> <bdi>{advice}</bdi>{' '}
          {OF_PLAN.has(String(facts['code'])) && <Link to="/plans">Plans</Link>}
        </p>
      )}
      <RequestTimeline steps={timeline} refusedAt={at} />
      {rest.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <details>
        <summary>Details</summary>
        <pre>{JSON.stringify(facts, null, 2)}</pre>
      </details>
    </article>
  );
}
