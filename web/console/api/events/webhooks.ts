import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readResponse, cursorPaging } from '../../../shared/transport/fetch.ts';
import { LIVE_REFRESH_MS, refreshWhileOnePage } from '../../../shared/transport/refresh.ts';
import type { ReadDeliveries } from '../../../shared/webhooks/deliveries-query.ts';
import type { ReadRequest } from '../../../shared/webhooks/webhook.ts';
import { PAGE_SIZE } from '../keys.ts';
import { api, type Schemas } from '../transport/client.ts';
import type { paths } from '../transport/schema.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];

/** Filters in the URL. */
export interface WebhookFilters {
  /** The id of an account, or `none` for the operators' own webhooks. */
  readonly account?: string;
  readonly status?: Webhook['status'];
  readonly state?: 'failing';
}

type WebhooksQuery = NonNullable<paths['/webhooks']['get']['parameters']['query']>;

/** The value of the account filter that selects the operators' own webhooks. */
export const NO_ACCOUNT = 'none';

const EVENT_DELIVERIES_PAGE = 10;

export const webhooksQuery = (filters: WebhookFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'list', filters, sort],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...filters, sort: sort as WebhooksQuery['sort'], limit: PAGE_SIZE, cursor };
      return readResponse(api.GET('/webhooks', { params: { query }, signal }));
    },
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(LIVE_REFRESH_MS),
  });

/** The first webhooks with this text in their description, URL or id. */
export function readWebhooks(q: string, signal: AbortSignal) {
  return readResponse(api.GET('/webhooks', { params: { query: { q, limit: PAGE_SIZE } }, signal }));
}

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

/** Lists the deliveries of one event. */
export const eventDeliveriesQuery = (event: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries of', event],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { event, limit: EVENT_DELIVERIES_PAGE, cursor };
      return readResponse(api.GET('/deliveries', { params: { query }, signal }));
    },
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(LIVE_REFRESH_MS),
  });
