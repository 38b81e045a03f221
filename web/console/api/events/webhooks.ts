import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Change } from '../../../shared/transport/change.ts';
import { answerOf } from '../../../shared/transport/fetch.ts';
import { LIVE_MS, whileOnePage } from '../../../shared/transport/refresh.ts';
import { type DeliveryStatus, TEST_TIMEOUT_MS, type WebhookDraft } from '../../../shared/webhooks/webhook.ts';
import { PAGE_SIZE } from '../keys.ts';
import { api, type Schemas } from '../transport/client.ts';
import type { paths } from '../transport/schema.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookStatus = Schemas['WebhookStatus'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type Delivery = Schemas['Delivery'];

/** As they stand in the address. */
export interface WebhookFilters {
  /** The id of an account; `none`: the operators' own. */
  readonly account?: string;
  readonly status?: WebhookStatus;
  readonly state?: 'failing';
}

type WebhooksQuery = NonNullable<paths['/webhooks']['get']['parameters']['query']>;

/** Instead of an account id: the operators' webhooks. */
export const NO_ACCOUNT = 'none';

const DELIVERIES_PAGE = 50;
const EVENT_DELIVERIES_PAGE = 10;

export const webhooksQuery = (filters: WebhookFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'list', filters, sort],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...filters, sort: sort as WebhooksQuery['sort'], limit: PAGE_SIZE, cursor };
      return answerOf(api.GET('/webhooks', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileOnePage(LIVE_MS),
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: LIVE_MS,
  });

export const deliveriesQuery = (id: string, status?: DeliveryStatus) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id, status],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { status, limit: DELIVERIES_PAGE, cursor };
      return answerOf(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileOnePage(LIVE_MS),
  });

/** The deliveries of one event. */
export const eventDeliveriesQuery = (event: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries of', event],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { event, limit: EVENT_DELIVERIES_PAGE, cursor };
      return answerOf(api.GET('/deliveries', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileOnePage(LIVE_MS),
  });

export function createWebhook(body: WebhookDraft, reason: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: '/webhooks', body, reason };
}

/** Omitted fields do not change. */
export function updateWebhook(
  id: string,
  body: Partial<WebhookDraft & Pick<Webhook, 'status'>>,
  reason: string,
): Change<Webhook> {
  return { method: 'PATCH', path: pathTo(id), body, reason };
}

export function deleteWebhook(id: string, reason: string): Change {
  return { method: 'DELETE', path: pathTo(id), reason };
}

export function rotateSecret(id: string, graceSeconds: number, reason: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: `${pathTo(id)}/rotate-secret`, body: { graceSeconds }, reason };
}

/** Resolves once the endpoint has responded, or failed to. */
export function testWebhook(id: string): Change<Delivery> {
  return { method: 'POST', path: `${pathTo(id)}/test`, timeoutMs: TEST_TIMEOUT_MS };
}

export function redeliver(id: string): Change<Delivery> {
  return { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` };
}

function pathTo(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

export function readRequest(id: string, signal: AbortSignal) {
  return answerOf(api.GET('/deliveries/{id}/request', { params: { path: { id } }, signal }));
}
