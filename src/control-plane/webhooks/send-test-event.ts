import { sql } from 'kysely';
import type { Tx } from '../../storage/tables.ts';
import { createRandomId } from '../../base/secrets.ts';
import type { Database } from '../../storage/database.ts';
import { insertEvents } from '../events/event-outbox.ts';
import { createGatewayEvent } from '../events/gateway-events.ts';
import type { Viewer } from './webhook.ts';
import { createWebhookNotFoundError } from './webhook-changes.ts';
import { findWebhook } from './webhook-rows.ts';
import { toAttemptRow, type Delivery, findDelivery } from './delivery.ts';
import { LEASE_MS } from './claim.ts';
import { hasArrived, type Message, createMessage, type Outcome, type Sender } from './sender.ts';

interface TestDelivery {
  readonly deliveryId: string;
  readonly message: Message;
}

/**
 * Sends an event `webhook.test` to one webhook, a single time, even if the webhook is disabled. The outcome does not
 * change the webhook.
 *
 * @param now ms since the Unix epoch
 * @throws RegistryError `webhook_not_found`
 */
export async function sendTestEvent(
  database: Database,
  sender: Sender,
  { viewer, id, now }: { readonly viewer: Viewer; readonly id: string; readonly now: number },
): Promise<Delivery> {
  const { deliveryId, message } = await createTestDelivery(database, viewer, id, now);
  const outcome = await sender.send(message);
  await finishTestDelivery(database, deliveryId, outcome);
  const delivery = await database.read((queries) => findDelivery(queries, deliveryId));
  if (delivery === null) throw createWebhookNotFoundError(id);
  return delivery;
}

function createTestDelivery(database: Database, viewer: Viewer, id: string, now: number): Promise<TestDelivery> {
  return database.transaction(async (tx) => {
    if ((await findWebhook(tx, viewer, id)) === null) throw createWebhookNotFoundError(id);
    const webhook = await tx
      .selectFrom('webhooks')
      .leftJoin('accounts', 'accounts.id', 'webhooks.account_id')
      .select(['account_id', 'url', 'secret', 'previous_secret', 'previous_secret_until', 'accounts.owner'])
      .where('webhooks.id', '=', id)
      .executeTakeFirstOrThrow();
    const event = createGatewayEvent('webhook.test', { webhookId: id }, { subject: id, owner: webhook.owner, at: now });
    // The event is stored as already routed, so that it goes to no other webhook.
    await insertEvents(tx, [event], { routed: true });
    const deliveryId = await insertLeasedDelivery(tx, database.dialect, event.id, id);
    const eventRow = { event_id: event.id, type: event.type, at: event.at, data: JSON.stringify(event.data) };
    return { deliveryId, message: createMessage(webhook, eventRow, now) };
  });
}

async function insertLeasedDelivery(
  tx: Tx,
  { now }: Database['dialect'],
  eventId: string,
  webhookId: string,
): Promise<string> {
  const id = createRandomId('dlv');
  const leasedUntil = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const lease = { status: 'pending', due_at: leasedUntil, leased_until: leasedUntil, attempts: 0 };
  await tx
    .insertInto('deliveries')
    .values({ id, event_id: eventId, webhook_id: webhookId, ...lease, created_at: now, ended_at: null })
    .execute();
  return id;
}

function finishTestDelivery(database: Database, id: string, outcome: Outcome): Promise<void> {
  const { dialect } = database;
  return database.transaction(async (tx) => {
    const status = hasArrived(outcome) ? 'delivered' : 'failed';
    const update = tx.updateTable('deliveries').set({ status, attempts: 1, ended_at: dialect.now, leased_until: null });
    const updated = await update.where('id', '=', id).where('attempts', '=', 0).executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return;
    await tx
      .insertInto('delivery_attempts')
      .values(toAttemptRow(id, 1, outcome))
      .execute();
  });
}
