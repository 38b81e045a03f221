import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../../shared/transport/fetch.ts';
import { LIVE_MS, whileOnePage } from '../../../shared/transport/refresh.ts';
import { type DeliveryStatus, TEST_TIMEOUT_MS, type WebhookDraft } from '../../../shared/webhooks/webhook.ts';
import { isSignedIn } from '../session.ts';
import { api, type Schemas, send } from '../transport/client.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type Delivery = Schemas['Delivery'];
export type EventType = Schemas['EventType'];

/** More than an account may have. */
const MAX_WEBHOOKS = 100;
const PAGE_SIZE = 50;

/** The event types that consumers can receive. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answerOf(api.GET(isSignedIn() ? '/event-types' : '/public/event-types', { signal })),
  select: ({ items }) => items,
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => answerOf(api.GET('/webhooks', { params: { query: { limit: MAX_WEBHOOKS } }, signal })),
  refetchInterval: LIVE_MS,
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
      const query = { status, limit: PAGE_SIZE, cursor };
      return answerOf(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileOnePage(LIVE_MS),
  });

export function createWebhook(body: WebhookDraft): Promise<WebhookWithSecret> {
  return send<WebhookWithSecret>({ method: 'POST', path: '/webhooks', body });
}

/** Omitted fields do not change. */
export function updateWebhook(
  id: string,
  body: Partial<WebhookDraft> & Partial<Pick<Webhook, 'status'>>,
): Promise<Webhook> {
  return send<Webhook>({ method: 'PATCH', path: at(id), body });
}

export function deleteWebhook(id: string): Promise<unknown> {
  return send({ method: 'DELETE', path: at(id) });
}

/** Settles once the endpoint has responded, or failed to. */
export function testWebhook(id: string): Promise<Delivery> {
  return send<Delivery>({ method: 'POST', path: `${at(id)}/test`, timeoutMs: TEST_TIMEOUT_MS });
}

export function rotateSecret(id: string, graceSeconds: number): Promise<WebhookWithSecret> {
  return send<WebhookWithSecret>({ method: 'POST', path: `${at(id)}/rotate-secret`, body: { graceSeconds } });
}

export function redeliver(id: string): Promise<Delivery> {
  return send<Delivery>({ method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` });
}

function at(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

export function readRequest(id: string, signal: AbortSignal) {
  return answerOf(api.GET('/deliveries/{id}/request', { params: { path: { id } }, signal }));
}
