import type { ReactNode } from 'react';
import { formatCount, formatMilliseconds, pluralize } from '../format/number.ts';
import { type Column, DataTable } from '../ui/data/data-table.tsx';
import { Failures, ShareOf } from './share-of.tsx';
import { Sparkline } from './sparkline.tsx';
import styles from './traffic.module.css';
import type { UsageHistory, UsageSeries } from './usage-history.ts';

interface Props {
  readonly history: UsageHistory;
  /** The header of the first column, such as "Owner". */
  readonly header: string;
  readonly caption: string;
  /** Renders the group as a link or a name. `group` is null if the group is unknown. */
  readonly nameOf: (group: string | null) => ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
  /** Shows units even if no operation costs more than one. */
  readonly withUnits?: boolean;
}

/** Shown only if some operations cost more than one unit, because otherwise units equal requests. */
const UNITS_COLUMN: Column<UsageSeries> = {
  id: 'units',
  header: 'Units',
  numeric: true,
  width: '84px',
  hideBelow: 'medium',
  cell: ({ totals }) => formatCount(totals.units),
};

/** Lists the groups with the most requests, and the outcomes of the requests. */
export function RankingTable({ history, header, caption, nameOf, empty, withUnits = false }: Props) {
  const { series, others } = history;
  const rows = series.filter(({ totals }) => totals.requests > 0);
  if (rows.length === 0) return empty;
  const columns: readonly Column<UsageSeries>[] = [
    {
      id: 'name',
      header,
      cell: ({ group, totals }) => (
        <>
          {nameOf(group)}
          <Failures totals={totals} />
        </>
      ),
    },
    {
      id: 'trend',
      header: 'Trend',
      hideBelow: 'medium',
      cell: (one) => <Sparkline history={history} series={one} />,
    },
    {
      id: 'requests',
      header: 'Requests',
      numeric: true,
      width: '96px',
      cell: ({ totals }) => formatCount(totals.requests),
    },
    ...(withUnits || rows.some(({ totals }) => totals.units > totals.requests) ? [UNITS_COLUMN] : []),
    {
      id: 'refused',
      header: 'Refused',
      numeric: true,
      width: '76px',
      cell: ({ totals }) => <ShareOf what="refused" part={totals.refused} of={totals.requests} />,
    },
    {
      id: 'clientErrors',
      header: '4xx',
      numeric: true,
      width: '88px',
      hideBelow: 'narrow',
      cell: ({ totals }) => <ShareOf what="clientErrors" part={totals.clientErrors} of={totals.requests} />,
    },
    {
      id: 'errors',
      header: 'Errors',
      numeric: true,
      width: '72px',
      hideBelow: 'narrow',
      cell: ({ totals }) => <ShareOf what="errors" part={totals.errors} of={totals.requests} />,
    },
    {
      id: 'p95',
      header: 'p95',
      numeric: true,
      width: '84px',
      hideBelow: 'wide',
      cell: ({ totals: { p95Ms } }) => (p95Ms === null ? '–' : formatMilliseconds(p95Ms)),
    },
  ];
  return (
    <div>
      <DataTable caption={caption} columns={columns} rows={rows} rowId={({ group }) => group ?? ''} order="-requests" />
      {others !== null && others.requests > 0 && (
        <p className={styles.others}>
          Other {header.toLowerCase()}s: {pluralize(others.requests, 'request')}
        </p>
      )}
    </div>
  );
}
