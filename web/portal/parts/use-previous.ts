import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { usePreviousTimes } from '../../shared/traffic/compare.tsx';
import type { HistoryOfPeriod } from '../../shared/traffic/kept-history.ts';
import { previousQuery } from '../api/usage.ts';

/** Loads the counts of the time before a report. Undefined unless the user compares them. */
export function usePrevious(history: UseQueryResult<HistoryOfPeriod>, key?: string) {
  const times = usePreviousTimes(history.data);
  const previous = useQuery(previousQuery(times ?? null, key));
  return times === undefined ? undefined : previous;
}
