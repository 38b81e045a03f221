import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { RequestSearch } from '../../../shared/ui/page/request-search.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { explanationQuery, type RefusalFilters } from '../../api/history/history.ts';
import { FromTerminal } from '../../actions/dialog/as-command.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { RefusalCard } from './refusal-card.tsx';
import { RefusalList } from './refusal-list.tsx';

/** Explains why a request was refused. Without a request id, it lists the newest refusals. */
export function RequestsScreen() {
  const { id = '', ...filters } = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  useRowShortcuts();
  return (
    <ListPage
      title="Explain a request"
      above={id === '' ? undefined : <BackToList filters={filters}>Refused requests</BackToList>}
      summary={
        <p>
          Find out why a request was refused, by the <code className={parts.whole}>X-Request-Id</code> of its response.
        </p>
      }
    >
      <RequestSearch key={id} id={id} onSearch={(wanted) => void navigate({ search: { ...filters, id: wanted } })} />
      {id === '' ? <RefusalList filters={filters} /> : <Explained id={id} filters={filters} />}
    </ListPage>
  );
}

interface ToListProps {
  /** The filters of the list from which the user came. */
  readonly filters: RefusalFilters;
}

function BackToList({ filters, children }: ToListProps & { readonly children: ReactNode }) {
  return (
    <Link to="/requests" search={filters}>
      {children}
    </Link>
  );
}

function Explained({ id, filters }: ToListProps & { readonly id: string }) {
  const explanation = useQuery(explanationQuery(id));
  if (explanation.isPending) return <Loading rows={4} label="Looking for the request" />;
  if (isStatus(explanation.error, 404)) {
    return (
      <Empty icon={SearchX} title="No record of this request">
        Possible reasons: the request was served, it had no valid key, it is older than 48 hours, or its key had more
        than a thousand refusals in that minute. In the last case, another of the{' '}
        <BackToList filters={filters}>refused requests</BackToList> shows the cause. The log of the gateway has a line
        for every request: search it for this id.
      </Empty>
    );
  }
  if (explanation.data === undefined) return <ReadFailure query={explanation} what="the request" />;
  return (
    <>
      {explanation.data.refusals.map((refusal) => (
        <RefusalCard
          key={`${refusal.at} ${refusal.keyId}`}
          refusal={refusal}
          isOfAnother={refusal.requestId !== explanation.data.requestId}
        />
      ))}
      <FromTerminal>
        <Code text={formatTollgateCommand(['explain', id], {})} label="Copy the command" />
      </FromTerminal>
    </>
  );
}
