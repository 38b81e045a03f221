import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch, SearchX } from 'lucide-react';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { RequestSearch } from '../../../shared/ui/page/request-search.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { explanationQuery } from '../../api/history/history.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { RefusalCard } from './refusal-card.tsx';

/** Why was this request refused? */
export function RequestsScreen() {
  const { id = '' } = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  return (
    <Page title="Explain a request" answer={<p>Find out why a request was refused. Its id is in the response.</p>}>
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
      <Empty icon={SearchX} title="No record of this request">
        The request was served, had no known key, is older than 48 hours, or was not among the first five refusals of
        its key in that minute. In that case, the recent refusals on the page of the key show the cause:{' '}
        <Link to="/keys">find the key</Link>. The log of the gateway has a line for every request: search it for this
        id.
      </Empty>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="the request" />;
  return (
    <>
      {explanation.data.refusals.map((refusal) => (
        <RefusalCard key={`${refusal.at} ${refusal.keyId}`} refusal={refusal} />
      ))}
      <Code text={tollgateLine(['explain', id], {})} label="Copy the command" />
    </>
  );
}

function Teach() {
  return (
    <Empty icon={FileSearch} title="Paste a request id">
      Every response of the gateway has the header <code className={parts.whole}>X-Request-Id</code>. When a customer
      asks why a request was refused, ask for that id. Without it, <Link to="/keys">find the key</Link>: its page lists
      the recent refusals.
    </Empty>
  );
}
