import { useQuery } from '@tanstack/react-query';
import { usePreviousTimes } from '../../shared/traffic/compare.tsx';
import type { Period } from '../../shared/traffic/period.ts';
import { Traffic as TrafficOf } from '../../shared/traffic/traffic.tsx';
import { type HistoryFilters, historyQuery, previousQuery } from '../api/history/history.ts';
import { ReadFailure } from './failure.tsx';

/** Shows requests, outcomes and latency, for the given filters. */
export function Traffic({ period, filters = {} }: { readonly period: Period; readonly filters?: HistoryFilters }) {
  const history = useQuery(historyQuery(period, filters));
  const times = usePreviousTimes(history.data);
  const previous = useQuery(previousQuery(times ?? null, filters));
  const failure = <ReadFailure query={history} what="the traffic" />;
  return (
    <TrafficOf
      history={history}
      previous={times === undefined ? undefined : previous}
      period={period}
      failure={failure}
    />
  );
}
