import { queryOptions, skipToken } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import type { PreviousTimes } from '../../shared/traffic/comparison.ts';
import { type Period, createPeriodKey, findTimes } from '../../shared/traffic/period.ts';
import { LIVE_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { withPeriod, keepReportOfOtherPeriod } from '../../shared/traffic/kept-history.ts';
import type { UsageHistory } from '../../shared/traffic/usage-history.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';

export type QuotaUsage = Schemas['QuotaUsage'];

/** The current state of every quota, with all of its windows. */
export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => readResponse(api.GET('/usage', { signal })),
  select: ({ items }) => items,
  refetchInterval: LIVE_REFRESH_MS,
});

export type HistoryGroup = 'key' | 'operation' | 'outcome';

interface HistoryOptions {
  readonly key?: string | undefined;
  /** Groups the requests. The response has one series for each of the largest groups. */
  readonly by?: HistoryGroup;
  /** The maximum number of series. Default: 10. */
  readonly limit?: number;
}

/** The counts of a period, such as the last 24 hours. */
export const historyQuery = (period: Period, { key, by, limit }: HistoryOptions = {}) =>
  queryOptions({
    queryKey: ['history', createPeriodKey(period), key, by, limit],
    queryFn: ({ signal }) => withPeriod(period, readHistory({ key, by, limit, ...findTimes(period) }, signal)),
    placeholderData: keepReportOfOtherPeriod([key, by, limit]),
    staleTime: period.refreshMs,
    refetchInterval: period.refreshMs,
  });

/** The counts of the time before a report, to compare them. They no longer change, so they are never reloaded. */
export const previousQuery = (times: PreviousTimes | null, key?: string) =>
  queryOptions({
    queryKey: ['history', 'previous', times, key],
    queryFn: times === null ? skipToken : ({ signal }) => readHistory({ key, ...times }, signal),
    staleTime: Infinity,
  });

type HistoryQuery = paths['/usage/history']['get']['parameters']['query'];

/** Reads a history as JSON. The API also responds with CSV, which is not requested here. */
async function readHistory(query: HistoryQuery, signal: AbortSignal): Promise<UsageHistory> {
  return (await readResponse(api.GET('/usage/history', { params: { query }, signal }))) as UsageHistory;
}

/**
 * Reads the same history as CSV, which contains all groups.
 *
 * @throws ApiError
 */
export async function readHistoryCsv(period: Period, { key, by }: Pick<HistoryOptions, 'key' | 'by'>): Promise<string> {
  const query = { key, by, ...findTimes(period) };
  const headers = { Accept: 'text/csv' };
  return await readResponse(api.GET('/usage/history', { params: { query }, headers, parseAs: 'text' }));
}
