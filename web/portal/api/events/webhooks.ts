import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../../shared/transport/fetch.ts';
import { LIVE_REFRESH_MS } from '../../../shared/transport/refresh.ts';
import type { ReadDeliveries } from '../../../shared/webhooks/deliveries-query.ts';
import type { ReadRequest } from '../../../shared/webhooks/webhook.ts';
import { isSignedIn } from '../session.ts';
import { api, type Schemas } from '../transport/client.ts';

export type EventType = Schemas['EventType'];

/** Higher than the number of webhooks that an account may have, so that one page has all of them. */
const MAX_WEBHOOKS = 100;

/** The event types that consumers can receive. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  staleTime: Infinity,
  queryFn: ({ signal }) => readResponse(api.GET(isSignedIn() ? '/event-types' : '/public/event-types', { signal })),
  select: ({ items }) => items,
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => readResponse(api.GET('/webhooks', { params: { query: { limit: MAX_WEBHOOKS } }, signal })),
  refetchInterval: LIVE_REFRESH_MS,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => readResponse(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: LIVE_REFRESH_MS,
  });

export const readDeliveries: ReadDeliveries = (id, query, signal) =>
  readResponse(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }));

export const readRequest: ReadRequest = (id, signal) =>
  readResponse(api.GET('/deliveries/{id}/request', { params: { path: { id } }, signal }));
