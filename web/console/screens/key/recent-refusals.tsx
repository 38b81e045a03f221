import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createRefusalId, foldNeighbors } from '../../../shared/traffic/folded-refusals.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { refusalsOfKeyQuery } from '../../api/history/history.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { Call, codeColumn, type RefusalRow, timeColumn } from '../../parts/refusals/refusal-columns.tsx';

const columns: readonly Column<RefusalRow>[] = [
  { id: 'call', header: 'Request', cell: (refusal) => <Call refusal={refusal} filters={{ key: refusal.keyId }} /> },
  codeColumn,
  timeColumn,
];

/** Lists the recent refusals of a key to choose from, because few customers know the id of the refused request. */
export function RecentRefusals({ id }: { readonly id: string }) {
  const refusals = useQuery(refusalsOfKeyQuery(id));
  return (
    <Section
      title="Recent refusals"
      aside={
        refusals.data?.nextCursor != null && (
          <Link to="/requests" search={{ key: id }}>
            All refusals of this key
          </Link>
        )
      }
    >
      {refusals.isPending && <Loading rows={3} label="Loading the refusals" />}
      {refusals.isError && refusals.data === undefined && <ReadFailure query={refusals} what="the refusals" />}
      {refusals.data?.items.length === 0 && <p className={parts.none}>None in the last 48 hours.</p>}
      {refusals.data !== undefined && refusals.data.items.length > 0 && (
        <DataTable
          caption="Refused requests, newest first"
          columns={columns}
          rows={foldNeighbors(refusals.data.items)}
          rowId={createRefusalId}
        />
      )}
    </Section>
  );
}
