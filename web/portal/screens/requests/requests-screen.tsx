import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch, Hourglass, SearchX } from 'lucide-react';
import { isStatus } from '../../../shared/transport/error.ts';
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
    <Page title="Why was it refused?" answer={<p>Paste the id of a refused call, and read what happened.</p>}>
      <RequestSearch key={id} id={id} onSearch={(wanted) => void navigate({ search: { id: wanted } })} />
      {id === '' ? <Teach /> : <Explained id={id} />}
    </Page>
  );
}

/** Refusals are written every ten seconds, and most people ask at once: it is looked for again for that long. */
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
    return <ReadFailure query={explanation} what="The request" />;
  if (explanation.data === undefined && attempts > 0 && attempts < ATTEMPTS) return <Awaited />;
  if (explanation.isPending) return <Loading rows={4} label="Looking for the request" />;
  if (isStatus(explanation.error, 404)) {
    return (
      <Empty icon={SearchX} title="Nothing is kept of this call">
        Refusals of your keys are kept for 48 hours, a few a minute. A call that was served needs no explanation.
      </Empty>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="The request" />;
  return explanation.data.refusals.map((refusal) => (
    <Refusal key={`${refusal.at} ${refusal.keyId}`} refusal={refusal} />
  ));
}

function Awaited() {
  return (
    <div role="status">
      <Empty icon={Hourglass} title="Not found yet">
        A call that was refused just now shows up here by itself, within ten seconds.
      </Empty>
    </div>
  );
}

function Refusal({ refusal: { at, sentences, facts } }: { readonly refusal: Explanation['refusals'][number] }) {
  return (
    <article className={styles.refusal}>
      <header>
        <h2>Refused</h2>
        <Time at={at} />
      </header>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <details>
        <summary>The same as data</summary>
        <pre>{JSON.stringify(facts, null, 2)}</pre>
      </details>
    </article>
  );
}

function Teach() {
  return (
    <Empty icon={FileSearch} title="Every answer has an id">
      Look for the header <code>X-Request-Id</code> in the answer that refused your call. Log it in your client: it is
      also what to quote when you ask for help.
    </Empty>
  );
}
