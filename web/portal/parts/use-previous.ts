import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useIsCompared } from '../../shared/traffic/compare.tsx';
import { previousTimes } from '../../shared/traffic/comparison.ts';
import type { HistoryOfPeriod } from '../../shared/traffic/kept-history.ts';
import { previousQuery } from '../api/usage.ts';

/** What was counted before a report; undefined unless the reader compares them. */
export function usePrevious(history: UseQueryResult<HistoryOfPeriod>, key?: string) {
  const isCompared = useIsCompared();
  const times =
    isCompared && history.data !== undefined
      ? previousTimes(history.data, history.data.readAtMs, history.data.period)
      : null;
  const previous = useQuery(previousQuery(times, key));
  return isCompared ? previous : undefined;
}
