import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { type Period, periodKey, resolutionFor, findTimes } from '../../shared/traffic/period.ts';
import { readResponse, byCursor } from '../../shared/transport/fetch.ts';
import { whileOnePage } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';
import { PAGE_SIZE } from './keys.ts';

type OwnersQuery = NonNullable<paths['/owners']['get']['parameters']['query']>;
export type KeyOwner = Schemas['KeyOwner'];

/** Owners with their requests in the time up to now. */
export const ownersInPeriodQuery = (search: string, sort: string, period: Period) => {
  const { refreshMs } = period;
  // The number of owners whose points fit into one response.
  const { every, maxSeries } = resolutionFor(period, PAGE_SIZE);
  return infiniteQueryOptions({
    queryKey: ['owners', search, sort, periodKey(period)],
    queryFn: ({ pageParam: cursor, signal }) => {
      const wanted = { ...(search === '' ? {} : { q: search }), sort: sort as OwnersQuery['sort'] };
      const query = { ...wanted, ...findTimes(period), every, limit: maxSeries, cursor };
      return readResponse(api.GET('/owners', { params: { query }, signal }));
    },
    ...byCursor,
    staleTime: refreshMs,
    refetchInterval: whileOnePage(refreshMs),
  });
};

/** The first owners with this text, or of all. Until they are read, shows those of the previous text. */
export const ownersLikeQuery = (q: string) =>
  queryOptions({
    queryKey: ['owners', 'like', q],
    queryFn: ({ signal }) => readOwners(q, signal),
    placeholderData: keepPreviousData,
    staleTime: MINUTE_MS,
  });

/** The first owners with this text in their id, or in the name or address of their account. */
export function readOwners(q: string, signal: AbortSignal) {
  return readResponse(
    api.GET('/owners', { params: { query: { ...(q === '' ? {} : { q }), limit: PAGE_SIZE } }, signal }),
  );
}
