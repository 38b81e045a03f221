import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import { type ApiError, isStatus } from '../../../shared/transport/error.ts';
import { readResponse, cursorPaging } from '../../../shared/transport/fetch.ts';
import { refreshWhileOnePage } from '../../../shared/transport/refresh.ts';
import { PAGE_SIZE } from '../keys.ts';
import { api, type Schemas } from '../transport/client.ts';
import type { paths } from '../transport/schema.ts';
import { withPeriod, keepReportOfOtherPeriod } from '../../../shared/traffic/kept-history.ts';
import type { UsageHistory } from '../../../shared/traffic/usage-history.ts';
import type { PreviousTimes } from '../../../shared/traffic/comparison.ts';
import { type Period, createPeriodKey, chooseResolution, findTimes } from '../../../shared/traffic/period.ts';

export interface HistoryFilters {
  readonly key?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly operation?: string;
  readonly outcome?: string;
}
export type HistoryGroup = 'key' | 'owner' | 'plan' | 'operation' | 'outcome';

/** Default number of series in a response. */
const USUAL_SERIES = 10;

/**
 * Reads the counts of the period up to now. With `by`, the response has a series for each of the most frequent groups.
 */
export const historyQuery = (period: Period, filters: HistoryFilters = {}, by?: HistoryGroup, limit?: number) => {
  const { refreshMs } = period;
  const { every, maxSeries } = chooseResolution(period, by === undefined ? 1 : (limit ?? USUAL_SERIES));
  return queryOptions({
    queryKey: ['history', createPeriodKey(period), filters, by, limit],
    queryFn: ({ signal }) => {
      const query = { ...filters, by, limit: by === undefined ? undefined : maxSeries, ...findTimes(period), every };
      return withPeriod(period, readUsage(query, signal));
    },
    placeholderData: keepReportOfOtherPeriod([filters, by, limit]),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  });
};

/** Reads the counts of the time before a report, for comparison. Cached indefinitely, because they no longer change. */
export const previousQuery = (times: PreviousTimes | null, filters: HistoryFilters) =>
  queryOptions({
    queryKey: ['history', 'previous', times, filters],
    queryFn: times === null ? skipToken : ({ signal }) => readUsage({ ...filters, ...times }, signal),
    staleTime: Infinity,
  });

type UsageQuery = paths['/usage']['get']['parameters']['query'];

/** The API returns JSON unless CSV is requested. */
async function readUsage(query: UsageQuery, signal: AbortSignal): Promise<UsageHistory> {
  return (await readResponse(api.GET('/usage', { params: { query }, signal }))) as UsageHistory;
}

/** The maximum number of totals that the API returns. */
const MAX_TOTALS = 1000;

/**
 * Reads the totals of all operations in the period up to now. `others` is not null if there are more than `MAX_TOTALS`
 * operations.
 */
export const operationTotalsQuery = (period: Period) => {
  const { refreshMs } = period;
  return queryOptions({
    queryKey: ['history', createPeriodKey(period), 'totals'],
    queryFn: ({ signal }) =>
      readUsage({ by: 'operation', points: 'false', limit: MAX_TOTALS, ...findTimes(period) }, signal),
    staleTime: refreshMs,
    refetchInterval: refreshMs,
  });
};

export type ListedRefusal = Schemas['ListedRefusal'];

/** Filters in the URL. */
export interface RefusalFilters {
  readonly key?: string;
  readonly owner?: string;
  /** The error code. */
  readonly code?: string;
  readonly operation?: string;
}

/** The filters that may name something that does not exist. */
export type NamingFilter = 'key' | 'owner' | 'operation';

/** Finds the filters whose value does not exist, according to the error that the list of refusals responds with. */
export function findUnknownFilters(error: unknown): readonly NamingFilter[] {
  if (isStatus(error, 404)) return ['key'];
  if (!isStatus(error, 400)) return [];
  const { details } = error as ApiError;
  return (['owner', 'key', 'operation'] as const).filter((name) =>
    details.some(({ path }) => path === `/query/${name}`),
  );
}

/** Refusals are stored within ten seconds, so that refreshing more often would show nothing new. */
const REFUSALS_EVERY_MS = 15_000;

/** Lists refusals, newest first. */
export const refusalsQuery = (filters: RefusalFilters) =>
  infiniteQueryOptions({
    queryKey: ['refusals', filters],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...filters, limit: PAGE_SIZE, cursor };
      return readResponse(api.GET('/requests', { params: { query }, signal }));
    },
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(REFUSALS_EVERY_MS),
  });

/** Reads the newest few refusals of a key. */
export const refusalsOfKeyQuery = (key: string) =>
  queryOptions({
    queryKey: ['refusals', 'of-key', key],
    queryFn: ({ signal }) => readResponse(api.GET('/requests', { params: { query: { key, limit: 10 } }, signal })),
    staleTime: REFUSALS_EVERY_MS,
    refetchInterval: REFUSALS_EVERY_MS,
  });

export const explanationQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) =>
      readResponse(api.GET('/requests/{requestId}', { params: { path: { requestId } }, signal })),
  });
