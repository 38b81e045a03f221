import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { type Period, createPeriodKey, chooseResolution, findTimes } from '../../shared/traffic/period.ts';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { refreshWhileOnePage } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';
import { PAGE_SIZE } from './keys.ts';

type OwnersQuery = NonNullable<paths['/owners']['get']['parameters']['query']>;
export type KeyOwner = Schemas['KeyOwner'];

/** Lists owners with their requests in the period up to now. */
export const ownersInPeriodQuery = (search: string, sort: string, period: Period) => {
  const { refreshMs } = period;
  // `maxSeries` is the number of owners whose points fit into one response.
  const { every, maxSeries } = chooseResolution(period, PAGE_SIZE);
  return infiniteQueryOptions({
    queryKey: ['owners', search, sort, createPeriodKey(period)],
    queryFn: ({ pageParam: cursor, signal }) => {
      const wanted = { ...(search === '' ? {} : { q: search }), sort: sort as OwnersQuery['sort'] };
      const query = { ...wanted, ...findTimes(period), every, limit: maxSeries, cursor };
      return readResponse(api.GET('/owners', { params: { query }, signal }));
    },
    ...cursorPaging,
    staleTime: refreshMs,
    refetchInterval: refreshWhileOnePage(refreshMs),
  });
};

/**
 * Finds the first owners that match the text, or lists the first of all. While they are read, shows those of the
 * previous text.
 */
export const ownersLikeQuery = (q: string) =>
  queryOptions({
    queryKey: ['owners', 'like', q],
    queryFn: ({ signal }) => readOwners(q, signal),
    placeholderData: keepPreviousData,
    staleTime: MINUTE_MS,
  });

/** Finds the first owners whose id, account name or address contains the text. */
export function readOwners(q: string, signal: AbortSignal) {
  return readResponse(
    api.GET('/owners', { params: { query: { ...(q === '' ? {} : { q }), limit: PAGE_SIZE } }, signal }),
  );
}
