import { useQuery } from '@tanstack/react-query';
import type { Period } from '../../shared/traffic/period.ts';
import { Traffic as TrafficOf } from '../../shared/traffic/traffic.tsx';
import { type HistoryFilters, historyQuery } from '../api/history/history.ts';
import { ReadFailure } from './failure.tsx';

/** Requests, outcomes and latency, filtered. */
export function Traffic({ period, filters = {} }: { readonly period: Period; readonly filters?: HistoryFilters }) {
  const history = useQuery(historyQuery(period, filters));
  const failure = <ReadFailure query={history} what="the traffic" />;
  return <TrafficOf history={history} period={period} failure={failure} />;
}
