import { PREFIX } from './admin-document.ts';
import type { AdminOperations } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import { parseOrder } from './sort-order.ts';
import { formatEtag, changeIfMatching } from '../../api-server/read-request.ts';
import { createWebhookNotFoundError } from '../../webhooks/webhook-changes.ts';
import { toWebhookJson, toDeliveryJson } from '../../webhooks/webhook-json.ts';
import type { Webhook, WebhookWithSecret } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';

/** The value of the filter `account` that selects the operators' own webhooks. */
const NO_ACCOUNT = 'none';

export function createWebhookOperations(
  webhooks: Webhooks,
  refuseUnknown: RefuseUnknown,
): Pick<
  AdminOperations,
  'listWebhooks' | 'createWebhook' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'
> {
  const readRevision = (id: string) => async () => (await requireWebhook(id)).revision;

  async function requireWebhook(id: string): Promise<Webhook> {
    const webhook = await webhooks.get('operators', id);
    if (webhook === null) throw createWebhookNotFoundError(id);
    return webhook;
  }

  return {
    async listWebhooks({ query: { limit, cursor, account, status, state, q: search, sort } }) {
      const accountId = account === NO_ACCOUNT ? null : account;
      const filter = { accountId, status, isFailing: state === 'failing', search };
      const { items, nextCursor } = await webhooks.list('operators', filter, { limit, cursor }, parseOrder(sort));
      if (items.length === 0) await refuseUnknown({ account: accountId ?? undefined });
      return { status: 200, body: { items: items.map(toWebhookJson), nextCursor } };
    },

    async createWebhook({ body, change }) {
      const created = await webhooks.create(body, change);
      const { headers, ...reply } = toSecretResponse(created);
      return { ...reply, status: 201, headers: { ...headers, Location: `${PREFIX}/webhooks/${created.webhook.id}` } };
    },

    async getWebhook({ path: { id } }) {
      return toWebhookResponse(await requireWebhook(id));
    },

    async updateWebhook({ path: { id }, body, change, ifMatch }) {
      const update = (revision?: number) => webhooks.update('operators', id, body, change, { revision });
      return toWebhookResponse(await changeIfMatching(ifMatch, readRevision(id), update));
    },

    async deleteWebhook({ path: { id }, change, ifMatch }) {
      await changeIfMatching(ifMatch, readRevision(id), (revision) =>
        webhooks.delete('operators', id, change, { revision }),
      );
      return { status: 204 };
    },

    async rotateWebhookSecret({ path: { id }, body: { graceSeconds }, change, ifMatch }) {
      const rotate = (revision?: number) =>
        webhooks.rotateSecret('operators', id, graceSeconds * 1000, change, { revision });
      return toSecretResponse(await changeIfMatching(ifMatch, readRevision(id), rotate));
    },
  };
}

function toWebhookResponse(webhook: Webhook) {
  return { status: 200 as const, body: toWebhookJson(webhook), headers: { ETag: formatEtag(webhook.revision) } };
}

function toSecretResponse({ webhook, secret }: WebhookWithSecret) {
  return { ...toWebhookResponse(webhook), body: { ...toWebhookJson(webhook), secret } };
}

export function createDeliveryOperations(
  webhooks: Webhooks,
): Pick<
  AdminOperations,
  'testWebhook' | 'listWebhookDeliveries' | 'listDeliveries' | 'getDeliveryRequest' | 'redeliver'
> {
  return {
    async testWebhook({ path: { id }, change }) {
      return { status: 200, body: toDeliveryJson(await webhooks.test('operators', id, change.at)) };
    },

    async listWebhookDeliveries({ path: { id }, query: { limit, cursor, status } }) {
      const { items, nextCursor } = await webhooks.listDeliveries('operators', id, { status }, { limit, cursor });
      return { status: 200, body: { items: items.map(toDeliveryJson), nextCursor } };
    },

    async listDeliveries({ query: { limit, cursor, event, status } }) {
      const { items, nextCursor } = await webhooks.listEventDeliveries(event, { status }, { limit, cursor });
      return { status: 200, body: { items: items.map(toDeliveryJson), nextCursor } };
    },

    async getDeliveryRequest({ path: { id } }) {
      return { status: 200, body: await webhooks.readSentRequest('operators', id) };
    },

    async redeliver({ path: { id } }) {
      return { status: 202, body: toDeliveryJson(await webhooks.redeliver('operators', id)) };
    },
  };
}
