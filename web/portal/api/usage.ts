import { queryOptions, skipToken } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import type { PreviousTimes } from '../../shared/traffic/comparison.ts';
import { type Period, periodKey, timesOf } from '../../shared/traffic/period.ts';
import { LIVE_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type QuotaUsage = Schemas['QuotaUsage'];

/** All windows of every quota, as they are now. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => answerOf(api.GET('/usage', { signal })),
  select: ({ items }) => items,
  refetchInterval: LIVE_MS,
});

/** What was counted in the time up to now; with `by`, a series for each of the most used. */
export const historyQuery = (period: Period, key?: string, by?: 'key' | 'operation' | 'outcome') =>
  queryOptions({
    queryKey: ['history', periodKey(period), key, by],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/usage/history', { params: { query: { key, by, ...timesOf(period) } }, signal })),
    staleTime: period.refreshMs,
    refetchInterval: period.refreshMs,
  });

/** What was counted before a report, for comparison; it changes no more. */
export const previousQuery = (times: PreviousTimes | null, key?: string) =>
  queryOptions({
    queryKey: ['history', 'previous', times, key],
    queryFn:
      times === null
        ? skipToken
        : ({ signal }) => answerOf(api.GET('/usage/history', { params: { query: { key, ...times } }, signal })),
    staleTime: Infinity,
  });
