import type { ReactNode } from 'react';
import { formatCount, pluralize, formatShare } from '../format/number.ts';
import { type Column, DataTable } from '../ui/data/data-table.tsx';
import { OutcomeName } from './outcome-name.tsx';
import { type OutcomeRow, createOutcomeRows } from './outcome-rows.ts';
import styles from './traffic.module.css';
import type { UsageHistory } from './usage-history.ts';

interface Props {
  /** The requests, grouped by outcome. */
  readonly history: UsageHistory;
  readonly caption: string;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** Lists the outcomes of requests with their numbers. */
export function OutcomesTable({ history, caption, empty }: Props) {
  const rows = createOutcomeRows(history);
  if (rows.length === 0) return empty;
  const others = history.others?.requests ?? 0;
  const all = rows.reduce((sum, { requests }) => sum + requests, others);
  const columns: readonly Column<OutcomeRow>[] = [
    { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <OutcomeName outcome={outcome} /> },
    { id: 'requests', header: 'Requests', numeric: true, width: '96px', cell: ({ requests }) => formatCount(requests) },
    { id: 'share', header: 'Share', numeric: true, width: '76px', cell: ({ requests }) => formatShare(requests, all) },
  ];
  return (
    <div>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowId={({ outcome }) => outcome ?? ''}
        order="-requests"
      />
      {others > 0 && <p className={styles.others}>Other outcomes: {pluralize(others, 'request')}</p>}
    </div>
  );
}
