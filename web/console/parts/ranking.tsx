import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { count, milliseconds, share } from '../../shared/format/number.ts';
import { type Column, DataTable } from '../../shared/ui/data/data-table.tsx';
import { Loading } from '../../shared/ui/page/states.tsx';
import { type By, type HistoryFilters, historyQuery, type UsageHistory } from '../api/history/history.ts';
import type { Period } from '../api/history/period.ts';
import { ReadFailure } from './failure.tsx';
import styles from './parts.module.css';
import { Sparkline } from './traffic/sparkline.tsx';

type Series = UsageHistory['series'][number];

interface Props {
  readonly period: Period;
  readonly by: By;
  readonly filters?: HistoryFilters;
  readonly limit?: number;
  /** "Owner". */
  readonly header: string;
  readonly caption: string;
  /** A link or a name; `group` is null where it is not known. */
  readonly nameOf: (group: string | null) => ReactNode;
  /** Instead of the table while there is nothing. */
  readonly empty: ReactNode;
}

/** Who or what had the most requests, with how they went. */
export function Ranking({ period, by, filters, limit = 10, header, caption, nameOf, empty }: Props) {
  const history = useQuery(historyQuery(period, filters, by, limit));
  if (history.data === undefined) {
    return history.isError ? <ReadFailure query={history} what="The history" /> : <Loading rows={4} />;
  }
  const { series, others } = history.data;
  const rows = series.filter(({ totals }) => totals.requests > 0);
  if (rows.length === 0) return empty;
  const columns: readonly Column<Series>[] = [
    { id: 'name', header, cell: ({ group }) => nameOf(group) },
    {
      id: 'trend',
      header: 'Trend',
      width: '116px',
      hideBelow: 'narrow',
      cell: (one) => <Sparkline history={history.data} series={one} />,
    },
    { id: 'requests', header: 'Requests', numeric: true, width: '96px', cell: ({ totals }) => count(totals.requests) },
    {
      id: 'refused',
      header: 'Refused',
      numeric: true,
      width: '84px',
      cell: ({ totals }) => share(totals.refused, totals.requests),
    },
    {
      id: 'errors',
      header: 'Errors',
      numeric: true,
      width: '76px',
      hideBelow: 'medium',
      cell: ({ totals }) => share(totals.errors, totals.requests),
    },
    {
      id: 'p95',
      header: 'p95',
      numeric: true,
      width: '84px',
      hideBelow: 'medium',
      cell: ({ totals: { p95Ms } }) => (p95Ms === null ? '–' : milliseconds(p95Ms)),
    },
  ];
  return (
    <div>
      <DataTable caption={caption} columns={columns} rows={rows} rowId={({ group }) => group ?? ''} />
      {others !== null && <p className={styles.others}>And {count(others.requests)} requests of others.</p>}
    </div>
  );
}
