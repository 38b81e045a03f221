import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { OutcomesTable } from '../../shared/traffic/outcomes-table.tsx';
import type { Period } from '../../shared/traffic/period.ts';
import { Kept } from '../../shared/ui/page/kept.tsx';
import { Loading } from '../../shared/ui/page/states.tsx';
import { type HistoryFilters, historyQuery } from '../api/history/history.ts';
import { ReadFailure } from './failure.tsx';

interface Props {
  readonly period: Period;
  readonly filters?: HistoryFilters;
  readonly caption: string;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** Lists the outcomes of requests. */
export function Outcomes({ period, filters, ...table }: Props) {
  const history = useQuery(historyQuery(period, filters, 'outcome', 10));
  if (history.data !== undefined) {
    return (
      <Kept isOld={history.isPlaceholderData}>
        <OutcomesTable history={history.data} {...table} />
      </Kept>
    );
  }
  return history.isError ? <ReadFailure query={history} what="the history" /> : <Loading rows={4} />;
}
