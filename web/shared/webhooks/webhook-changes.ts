import type { Change } from '../transport/change.ts';
import { type Delivery, TEST_TIMEOUT_MS, type Webhook, type WebhookDraft, type WebhookWithSecret } from './webhook.ts';

/** Both APIs have the same requests. Only the admin API takes a reason, for its audit log. */

export function createWebhook(body: WebhookDraft, reason?: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: '/webhooks', body, reason };
}

/** Omitted fields do not change. */
export function updateWebhook(
  id: string,
  body: Partial<WebhookDraft & Pick<Webhook, 'status'>>,
  reason?: string,
): Change<Webhook> {
  return { method: 'PATCH', path: pathTo(id), body, reason };
}

export function deleteWebhook(id: string, reason?: string): Change {
  return { method: 'DELETE', path: pathTo(id), reason };
}

export function rotateSecret(id: string, graceSeconds: number, reason?: string): Change<WebhookWithSecret> {
  return { method: 'POST', path: `${pathTo(id)}/rotate-secret`, body: { graceSeconds }, reason };
}

/** Resolves once the endpoint has responded, or the request to it has failed. */
export function testWebhook(id: string): Change<Delivery> {
  return { method: 'POST', path: `${pathTo(id)}/test`, timeoutMs: TEST_TIMEOUT_MS };
}

export function redeliver(id: string): Change<Delivery> {
  return { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` };
}

function pathTo(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}
