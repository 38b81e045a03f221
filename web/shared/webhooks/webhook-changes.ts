import type { Change } from '../transport/change.ts';
import { type Delivery, TEST_TIMEOUT_MS, type Webhook, type WebhookDraft, type WebhookWithSecret } from './webhook.ts';

/** The requests of both APIs. Only the admin API takes a reason, for its audit log. */

export function createWebhook(body: WebhookDraft, reason?: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: '/webhooks', body, reason };
}

/** Changes a webhook. Omitted fields keep their values. */
export function updateWebhook(
  id: string,
  body: Partial<WebhookDraft & Pick<Webhook, 'status'>>,
  reason?: string,
): Change<Webhook> {
  return { method: 'PATCH', path: createPath(id), body, reason };
}

export function deleteWebhook(id: string, reason?: string): Change {
  return { method: 'DELETE', path: createPath(id), reason };
}

export function rotateSecret(id: string, graceSeconds: number, reason?: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: `${createPath(id)}/rotate-secret`, body: { graceSeconds }, reason };
}

/** Sends a test event. The response arrives once the endpoint has responded, or the request to it has failed. */
export function testWebhook(id: string): Change<Delivery> {
  return { method: 'POST', path: `${createPath(id)}/test`, timeoutMs: TEST_TIMEOUT_MS };
}

export function redeliver(id: string): Change<Delivery> {
  return { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` };
}

function createPath(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}
