import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch, Hourglass, SearchX, TriangleAlert } from 'lucide-react';
import { isStatus } from '../../../shared/transport/error.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import styles from '../../../shared/ui/page/request-card.module.css';
import { RequestSearch } from '../../../shared/ui/page/request-search.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type Explanation, explanationQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';

/** Why was my call refused, and what do I do? */
export function RequestsScreen() {
  const { id = '' } = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  return (
    <Page title="Why was it refused?" answer={<p>Paste the id of a refused request to find out why.</p>}>
      <RequestSearch key={id} id={id} onSearch={(wanted) => void navigate({ search: { id: wanted } })} />
      {id === '' ? <Teach /> : <Explained id={id} />}
    </Page>
  );
}

/** Refusals are stored every ten seconds, and most users look immediately: retries for that long. */
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
  if (explanation.data === undefined && attempts > 0 && attempts < ATTEMPTS) return <Awaited />;
  if (explanation.isPending) return <Loading rows={4} label="Looking for the request" />;
  if (isStatus(explanation.error, 404)) {
    return (
      <Empty icon={SearchX} title="No record of this request">
        Either it was served, or its refusal was one of many: up to five per key and minute are recorded, for 48 hours.
        Look up another refused request, or see the outcomes under <Link to="/usage">Usage</Link>, which counts all of
        them.
      </Empty>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="the request" />;
  return explanation.data.refusals.map((refusal) => (
    <Refusal key={`${refusal.at} ${refusal.keyId}`} refusal={refusal} />
  ));
}

function Awaited() {
  return (
    <div role="status">
      <Empty icon={Hourglass} title="Not found yet">
        A request that was refused just now appears here within ten seconds.
      </Empty>
    </div>
  );
}

function Refusal({ refusal: { at, sentences, facts } }: { readonly refusal: Explanation['refusals'][number] }) {
  return (
    <article className={styles.refusal}>
      <header>
        <h2>
          <Badge tone="refused" icon={TriangleAlert}>
            Refused{typeof facts['status'] === 'number' && ` with ${facts['status']}`}
          </Badge>
        </h2>
        <Time at={at} />
      </header>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <details>
        <summary>Details of the decision</summary>
        <pre>{JSON.stringify(facts, null, 2)}</pre>
      </details>
    </article>
  );
}

function Teach() {
  return (
    <Empty icon={FileSearch} title="Every response has an id">
      Look for the header <code>X-Request-Id</code> in the response. Log it in your client, and quote it when you ask
      for help.
    </Empty>
  );
}
