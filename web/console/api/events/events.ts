import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { readResponse, cursorPaging } from '../../../shared/transport/fetch.ts';
import { LIVE_REFRESH_MS, refreshWhileOnePage } from '../../../shared/transport/refresh.ts';
import { PAGE_SIZE } from '../keys.ts';
import { api, type Schemas } from '../transport/client.ts';
import type { paths } from '../transport/schema.ts';
import { parseExact } from './exact-json.ts';

/** Numbers in `data` are only for `JSON.stringify`, not for calculations. */
export type Event = Schemas['Event'];
export type EventType = Schemas['EventType'];

/** Filters in the URL. Times are RFC 3339. */
export interface EventFilters {
  readonly type?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
}

interface Page {
  readonly items: readonly Event[];
  readonly nextCursor: string | null;
}

type EventsQuery = NonNullable<paths['/events']['get']['parameters']['query']>;

/** Newest first, unless `sort` asks for another order. */
export const eventsQuery = (filters: EventFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['events', filters, sort],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, sort: sort as EventsQuery['sort'], limit: PAGE_SIZE, cursor };
      return parseExact(await readResponse(api.GET('/events', { params: { query }, parseAs: 'text', signal }))) as Page;
    },
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(LIVE_REFRESH_MS),
  });

/** Reads every existing event type. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  staleTime: MINUTE_MS,
  queryFn: ({ signal }) => readResponse(api.GET('/event-types', { signal })),
  select: ({ items }) => items,
});
