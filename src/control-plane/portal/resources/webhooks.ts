import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import { createGatewayDataSchemas } from '../../events/event-documents.ts';
import { GATEWAY } from '../../events/event.ts';
import type { Viewer, Webhook, WebhookWithSecret } from '../../webhooks/webhook.ts';
import { MAX_WEBHOOKS, createWebhookNotFoundError } from '../../webhooks/webhook-changes.ts';
import * as json from '../../webhooks/webhook-json.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { requireAccount, type PortalCaller } from '../access/caller.ts';
import type { CallerLimits } from '../access/caller-limits.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

/** An id that stands for any account. All accounts can receive the same types of events. */
const ANY_ACCOUNT = '';

/** The types of events that consumers can receive. */
export function listConsumerEventTypes(webhooks: Webhooks): readonly EventTypeInfo[] {
  return webhooks.types.listAvailable(ANY_ACCOUNT);
}

export function toEventTypesJson(types: readonly EventTypeInfo[]): Schemas['EventType'][] {
  const schemas = createGatewayDataSchemas();
  return types.flatMap(({ name, source, summary, audience }) => {
    if (audience === 'operators') return [];
    return [{ name, summary, audience, schema: (source === GATEWAY && schemas.get(name)) || null }];
  });
}

type WebhookLimits = Pick<CallerLimits, 'limitWebhookTests' | 'limitRedeliveries' | 'runningWebhookTests'>;

/** Creates the operations on webhooks of the session's account. The session of a key has no webhooks. */
export function createWebhookOperations(
  webhooks: Webhooks,
  { limitWebhookTests, limitRedeliveries, runningWebhookTests }: WebhookLimits,
): Pick<
  PortalOperations,
  | 'listOwnWebhooks'
  | 'createOwnWebhook'
  | 'getOwnWebhook'
  | 'updateOwnWebhook'
  | 'deleteOwnWebhook'
  | 'testOwnWebhook'
  | 'rotateOwnWebhookSecret'
  | 'listOwnWebhookDeliveries'
  | 'getOwnDeliveryRequest'
  | 'redeliverOwn'
  | 'listOwnEventTypes'
> {
  return {
    async listOwnWebhooks({ query, caller }) {
      const { items, nextCursor } = await webhooks.list(toViewer(caller), {}, query);
      return { status: 200, body: { items: items.map(toWebhookJson), nextCursor, maxWebhooks: MAX_WEBHOOKS } };
    },

    async createOwnWebhook({ body, caller, change }) {
      const createdWebhook = await webhooks.create({ ...body, accountId: requireAccount(caller).id }, change);
      return { status: 201, body: toSecretJson(createdWebhook) };
    },

    async getOwnWebhook({ path: { id }, caller }) {
      const webhook = await webhooks.get(toViewer(caller), id);
      if (webhook === null) throw createWebhookNotFoundError(id);
      return { status: 200, body: toWebhookJson(webhook) };
    },

    async updateOwnWebhook({ path: { id }, body, caller, change }) {
      return { status: 200, body: toWebhookJson(await webhooks.update(toViewer(caller), id, body, change)) };
    },

    async deleteOwnWebhook({ path: { id }, caller, change }) {
      await webhooks.delete(toViewer(caller), id, change);
      return { status: 204 };
    },

    async testOwnWebhook({ path: { id }, caller, change }) {
      const viewer = toViewer(caller);
      await limitWebhookTests(viewer.accountId);
      const delivery = await runningWebhookTests.run(viewer.accountId, () => webhooks.test(viewer, id, change.at));
      return { status: 200, body: json.toDeliveryJson(delivery) };
    },

    async rotateOwnWebhookSecret({ path: { id }, body, caller, change }) {
      const graceMs = body.graceSeconds * 1000;
      return { status: 200, body: toSecretJson(await webhooks.rotateSecret(toViewer(caller), id, graceMs, change)) };
    },

    async listOwnWebhookDeliveries({ path: { id }, query, caller }) {
      const { status, ...page } = query;
      const { items, nextCursor } = await webhooks.listDeliveries(toViewer(caller), id, { status }, page);
      return { status: 200, body: { items: items.map(json.toDeliveryJson), nextCursor } };
    },

    async getOwnDeliveryRequest({ path: { id }, caller }) {
      return { status: 200, body: await webhooks.readSentRequest(toViewer(caller), id) };
    },

    async redeliverOwn({ path: { id }, caller }) {
      const viewer = toViewer(caller);
      await limitRedeliveries(viewer.accountId);
      return { status: 202, body: json.toDeliveryJson(await webhooks.redeliver(viewer, id)) };
    },

    listOwnEventTypes: () => ({
      status: 200,
      body: { items: toEventTypesJson(listConsumerEventTypes(webhooks)) },
    }),
  };
}

/** @throws Refused `account_needed` for the session of a key */
function toViewer(caller: PortalCaller): Exclude<Viewer, 'operators'> {
  return { accountId: requireAccount(caller).id };
}

/** The JSON of a webhook without its account, because it is always the caller's own. */
function toWebhookJson(webhook: Webhook) {
  const { accountId, ...own } = json.toWebhookJson(webhook);
  return own;
}

function toSecretJson({ webhook, secret }: WebhookWithSecret) {
  return { ...toWebhookJson(webhook), secret };
}
