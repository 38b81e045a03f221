import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { type Period, PERIODS } from '../../shared/traffic/period.ts';
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
export const historyQuery = (period: Period, key?: string, by?: 'key' | 'operation' | 'outcome') => {
  const { lengthMs, refreshMs, every } = PERIODS[period];
  return queryOptions({
    queryKey: ['history', period, key, by],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - lengthMs).toISOString();
      return answerOf(api.GET('/usage/history', { params: { query: { key, by, from, every } }, signal }));
    },
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  });
};
