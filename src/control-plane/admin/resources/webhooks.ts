import { PREFIX } from './document.ts';
import type { AdminOperations, Call, PageQuery, Reply } from './operation.ts';
import { etag, ifMatching } from '../../api/read-request.ts';
import type { DeliveryStatus } from '../../webhooks/delivery.ts';
import { webhookNotFound } from '../../webhooks/webhook-changes.ts';
import { webhookJson, deliveryJson } from '../../webhooks/webhook-json.ts';
import type { NewWebhook, Webhook, WebhookPatch, WebhookStatus, WebhookWithSecret } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';

interface ListQuery extends PageQuery {
  readonly account?: string;
  readonly status?: WebhookStatus;
}

/** In the place of an account's id: those of no account, which are the operators' own. */
const NO_ACCOUNT = 'none';

export function webhookOperations(webhooks: Webhooks): AdminOperations {
  const revisionOf = (id: string) => async () => (await existing(id)).revision;

  async function existing(id: string): Promise<Webhook> {
    const webhook = await webhooks.get('operators', id);
    if (webhook === null) throw webhookNotFound(id);
    return webhook;
  }

  return {
    async listWebhooks({ query: { limit, cursor, account, status } }: Call<undefined, ListQuery>) {
      const accountId = account === NO_ACCOUNT ? null : account;
      const { items, nextCursor } = await webhooks.list('operators', { accountId, status }, { limit, cursor });
      return { status: 200, body: { items: items.map(webhookJson), nextCursor } };
    },

    async createWebhook({ body, change }: Call<NewWebhook>) {
      const made = await webhooks.create(body, change);
      const { headers, ...reply } = withSecret(made);
      return { ...reply, status: 201, headers: { ...headers, Location: `${PREFIX}/webhooks/${made.webhook.id}` } };
    },

    async getWebhook({ path: { id = '' } }: Call) {
      return found(await existing(id));
    },

    async updateWebhook({ path: { id = '' }, body, change, ifMatch }: Call<WebhookPatch>) {
      const update = (revision?: number) => webhooks.update('operators', id, body, change, { revision });
      return found(await ifMatching(ifMatch, revisionOf(id), update));
    },

    async deleteWebhook({ path: { id = '' }, change, ifMatch }: Call) {
      await ifMatching(ifMatch, revisionOf(id), (revision) => webhooks.delete('operators', id, change, { revision }));
      return { status: 204 };
    },

    async rotateWebhookSecret({
      path: { id = '' },
      body: { graceSeconds },
      change,
      ifMatch,
    }: Call<{ readonly graceSeconds: number }>) {
      const rotate = (revision?: number) =>
        webhooks.rotateSecret('operators', id, graceSeconds * 1000, change, { revision });
      return withSecret(await ifMatching(ifMatch, revisionOf(id), rotate));
    },
  };
}

function found(webhook: Webhook): Reply {
  return { status: 200, body: webhookJson(webhook), headers: { ETag: etag(webhook.revision) } };
}

function withSecret({ webhook, secret }: WebhookWithSecret): Reply {
  return { ...found(webhook), body: { ...webhookJson(webhook), secret } };
}

interface DeliveriesQuery extends PageQuery {
  readonly status?: DeliveryStatus;
}

interface EventQuery extends DeliveriesQuery {
  /** The id of an event. */
  readonly event: string;
}

export function deliveryOperations(webhooks: Webhooks): AdminOperations {
  return {
    async testWebhook({ path: { id = '' }, change }: Call) {
      return { status: 200, body: deliveryJson(await webhooks.test('operators', id, change.at)) };
    },

    async listWebhookDeliveries({
      path: { id = '' },
      query: { limit, cursor, status },
    }: Call<undefined, DeliveriesQuery>) {
      const { items, nextCursor } = await webhooks.listDeliveries('operators', id, { status }, { limit, cursor });
      return { status: 200, body: { items: items.map(deliveryJson), nextCursor } };
    },

    async listDeliveries({ query: { limit, cursor, event, status } }: Call<undefined, EventQuery>) {
      const { items, nextCursor } = await webhooks.listDeliveriesOf(event, { status }, { limit, cursor });
      return { status: 200, body: { items: items.map(deliveryJson), nextCursor } };
    },

    async redeliver({ path: { id = '' } }: Call) {
      return { status: 202, body: deliveryJson(await webhooks.redeliver('operators', id)) };
    },

    listEventTypes() {
      return { status: 200, body: { items: webhooks.types.availableTo(null) } };
    },
  };
}
