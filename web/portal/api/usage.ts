import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { type Period, PERIODS } from '../../shared/traffic/period.ts';
import { LIVE_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type QuotaUsage = Schemas['QuotaUsage'];
export type Change = Schemas['Change'];
export type Explanation = Schemas['Explanation'];
export type RecentRefusal = Schemas['RecentRefusal'];
export type PastBan = Schemas['PastBan'];

/** Both windows of every quota, as they stand. */
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

export const explanationQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) => answerOf(api.GET('/requests/{requestId}', { params: { path: { requestId } }, signal })),
  });

/** The latest refusals that were stored, and bans. */
export const refusalsQuery = queryOptions({
  queryKey: ['requests'],
  queryFn: ({ signal }) => answerOf(api.GET('/requests', { signal })),
  refetchInterval: LIVE_MS,
});

/** Deprecated operations that were called. */
export const changesQuery = queryOptions({
  queryKey: ['changes'],
  queryFn: ({ signal }) => answerOf(api.GET('/changes', { signal })),
  select: ({ items }) => items,
});
