import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch, SearchX } from 'lucide-react';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { RequestSearch } from '../../../shared/ui/page/request-search.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { Schemas } from '../../api/transport/client.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { explanationQuery } from '../../api/history/history.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyName } from '../../parts/keys/key-name.tsx';
import styles from '../../../shared/ui/page/request-card.module.css';

/** Why was this request refused? */
export function RequestsScreen() {
  const { id = '' } = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  return (
    <Page title="Explain a request" answer={<p>Why a call was refused, by the id in its answer.</p>}>
      <RequestSearch key={id} id={id} onSearch={(wanted) => void navigate({ search: { id: wanted } })} />
      {id === '' ? <Teach /> : <Explained id={id} />}
    </Page>
  );
}

function Explained({ id }: { readonly id: string }) {
  const explanation = useQuery(explanationQuery(id));
  if (explanation.isPending) return <Loading rows={4} label="Looking for the request" />;
  if (isStatus(explanation.error, 404)) {
    return (
      <Empty icon={SearchX} title="Nothing is kept of this request">
        Only refusals of known keys are kept, a few a key and minute, for 48 hours. A call that was served has none.
      </Empty>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="The request" />;
  return (
    <>
      {explanation.data.refusals.map((refusal) => (
        <Refusal key={`${refusal.at} ${refusal.keyId}`} refusal={refusal} />
      ))}
      <Code text={tollgateLine(['explain', id], {})} label="Copy the command" />
    </>
  );
}

function Refusal({
  refusal: { at, keyId, sentences, facts },
}: {
  readonly refusal: Schemas['Explanation']['refusals'][number];
}) {
  return (
    <article className={styles.refusal}>
      <header>
        <KeyName id={keyId} />
        <Time at={at} />
      </header>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <details>
        <summary>What it was decided from</summary>
        <pre>{JSON.stringify(facts, null, 2)}</pre>
      </details>
      <Link to="/bans" search={{ key: keyId }}>
        Bans of this key
      </Link>
    </article>
  );
}

function Teach() {
  return (
    <Empty icon={FileSearch} title="Paste the id of a request">
      Every answer of the gateway carries <code>X-Request-Id</code>. When somebody asks why their call was refused, ask
      them for it.
    </Empty>
  );
}
