import type { DeliveryStatus } from '../../../webhooks/delivery/delivery.ts';
import { deliveryJson } from '../../../webhooks/webhook-json.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import type { AdminOperations, Call, PageQuery } from '../../operation.ts';

interface ListQuery extends PageQuery {
  readonly status?: DeliveryStatus;
}

interface EventQuery extends ListQuery {
  /** The id of an event. */
  readonly event: string;
}

export function deliveryOperations(webhooks: Webhooks): AdminOperations {
  return {
    async testWebhook({ path: { id = '' }, change }: Call) {
      return { status: 200, body: deliveryJson(await webhooks.test('operators', id, change.at)) };
    },

    async listWebhookDeliveries({ path: { id = '' }, query: { limit, cursor, status } }: Call<undefined, ListQuery>) {
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
