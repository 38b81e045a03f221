import { useQuery } from '@tanstack/react-query';
import { useIsCompared } from '../../shared/traffic/compare.tsx';
import { previousTimes } from '../../shared/traffic/comparison.ts';
import type { Period } from '../../shared/traffic/period.ts';
import { Traffic as TrafficOf } from '../../shared/traffic/traffic.tsx';
import { type HistoryFilters, historyQuery, previousQuery } from '../api/history/history.ts';
import { ReadFailure } from './failure.tsx';

/** Requests, outcomes and latency, filtered. */
export function Traffic({ period, filters = {} }: { readonly period: Period; readonly filters?: HistoryFilters }) {
  const history = useQuery(historyQuery(period, filters));
  const isCompared = useIsCompared();
  const times =
    isCompared && history.data !== undefined
      ? previousTimes(history.data, history.data.readAtMs, history.data.period)
      : null;
  const previous = useQuery(previousQuery(times, filters));
  const failure = <ReadFailure query={history} what="the traffic" />;
  return <TrafficOf history={history} previous={isCompared ? previous : undefined} period={period} failure={failure} />;
}
