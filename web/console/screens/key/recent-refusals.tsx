import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import type { Schemas } from '../../api/transport/client.ts';
import { refusalsQuery } from '../../api/history/history.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';

type Refusal = Schemas['RecentRefusal'];

const columns: readonly Column<Refusal>[] = [
  { id: 'call', header: 'Request', cell: (refusal) => <Call refusal={refusal} /> },
  {
    id: 'code',
    header: 'Refused with',
    width: '230px',
    hideBelow: 'medium',
    cell: ({ status, code }) => (
      <>
        {status}{' '}
        <code>
          <BreakableCode text={code} />
        </code>
      </>
    ),
  },
  { id: 'at', header: 'Time', width: '120px', cell: ({ at }) => <Time at={at} /> },
];

/** Why were calls refused? To pick from: few customers know the id of a request. */
export function RecentRefusals({ id }: { readonly id: string }) {
  const refusals = useQuery(refusalsQuery(id));
  return (
    <Section title="Recent refusals">
      {refusals.isPending && <Loading rows={3} label="Loading the refusals" />}
      {refusals.isError && refusals.data === undefined && <ReadFailure query={refusals} what="the refusals" />}
      {refusals.data?.items.length === 0 && <p className={parts.none}>None in the last 48 hours.</p>}
      {refusals.data !== undefined && refusals.data.items.length > 0 && (
        <DataTable
          caption="Refused requests, newest first"
          columns={columns}
          rows={refusals.data.items}
          rowId={({ requestId, at }) => `${requestId} ${at}`}
        />
      )}
    </Section>
  );
}

function Call({ refusal: { requestId, method, operation, path, cause } }: { readonly refusal: Refusal }) {
  return (
    <Link to="/requests" search={{ id: requestId }} className={parts.name} data-row-link title={requestId}>
      <bdi>{operation ?? `${method} ${path}`}</bdi>
      <bdi className={parts.detail}>{cause}</bdi>
    </Link>
  );
}
