import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Period } from '../../shared/traffic/period.ts';
import { RankingTable } from '../../shared/traffic/ranking-table.tsx';
import { Kept } from '../../shared/ui/page/kept.tsx';
import { Loading } from '../../shared/ui/page/states.tsx';
import { type HistoryGroup, type HistoryFilters, historyQuery } from '../api/history/history.ts';
import { ReadFailure } from './failure.tsx';

interface Props {
  readonly period: Period;
  readonly by: Exclude<HistoryGroup, 'outcome'>;
  readonly filters?: HistoryFilters;
  readonly limit?: number;
  /** "Owner". */
  readonly header: string;
  readonly caption: string;
  /** Renders a link or a name; `group` is null if it is unknown. */
  readonly nameOf: (group: string | null) => ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** Ranks the keys, owners, plans or operations with the most requests, and shows their outcomes. */
export function Ranking({ period, by, filters, limit = 10, ...table }: Props) {
  const history = useQuery(historyQuery(period, filters, by, limit));
  if (history.data !== undefined) {
    return (
      <Kept isOld={history.isPlaceholderData}>
        <RankingTable history={history.data} {...table} />
      </Kept>
    );
  }
  return history.isError ? <ReadFailure query={history} what="the history" /> : <Loading rows={limit} />;
}
