import { sql } from 'kysely';
import type { Tx } from '../../storage/tables.ts';
import { createRandomId } from '../../base/secrets.ts';
import type { Audience } from '../../openapi/event-type.ts';
import type { Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventTypes } from './event-types.ts';
import { ALL_TYPES } from './webhook.ts';

interface RoutingResult {
  /** Number of events processed; if it equals the maximum, there may be more. */
  readonly events: number;
  /** Number of deliveries created. */
  readonly deliveries: number;
  /** Whether there may be more events. */
  readonly hasMore: boolean;
}

type Row = Pick<Event, 'sequence' | 'id' | 'type' | 'subject' | 'owner' | 'source'>;

/** Maximum number of events processed together. */
const MAX_EVENTS = 200;
/**
 * Maximum number of deliveries created together, because on SQLite, requests wait until they are created. If a single
 * event has more deliveries, they are still created together.
 */
const MAX_DELIVERIES = 1000;
/** Rows per statement: SQLite allows at most 32,766 values. */
const ROWS_PER_STATEMENT = 500;

/**
 * Processes new events, and creates a delivery for every webhook that may see an event and subscribes to its type. Each
 * event is processed by only one gateway, because the others skip locked events.
 */
export function routeEvents(database: Database, types: EventTypes): Promise<RoutingResult> {
  return database.transaction(async (tx) => {
    const { dialect } = database;
    const newEvents = await takeEvents(tx, dialect);
    if (newEvents.length === 0) return { events: 0, deliveries: 0, hasMore: false };
    const audiences = new Map(newEvents.map((event) => [event, types.findAudience(event)]));
    const subscribers = await findSubscribers(tx, audiences);
    const routedEvents: Row[] = [];
    const pairs: DeliveryPair[] = [];
    for (const [event, audience] of audiences) {
      const webhooks = subscribers.filter((subscriber) => isDeliverable(event, audience, subscriber));
      if (routedEvents.length > 0 && pairs.length + webhooks.length > MAX_DELIVERIES) break;
      routedEvents.push(event);
      pairs.push(...webhooks.map(({ webhookId }) => ({ webhookId, eventId: event.id })));
    }
    await insertDeliveries(tx, dialect, pairs);
    await markRouted(tx, routedEvents);
    const hasMore = routedEvents.length < newEvents.length || newEvents.length === MAX_EVENTS;
    return { events: routedEvents.length, deliveries: pairs.length, hasMore };
  });
}

async function takeEvents(tx: Tx, { skipLocked }: Dialect): Promise<Row[]> {
  const events = tx
    .selectFrom('events')
    .select(['sequence', 'id', 'type', 'subject', 'owner', 'source'])
    // Not a parameter, because then SQLite would not use the index of new events.
    .where('routed', '=', sql.lit(0))
    .orderBy('sequence')
    .limit(MAX_EVENTS);
  return events.modifyEnd(skipLocked).execute();
}

/** Finds the enabled webhooks that may see at least one of these events. Webhooks of a deleted account see none. */
async function findSubscribers(tx: Tx, audiences: ReadonlyMap<Row, Audience>): Promise<Subscriber[]> {
  const owners = [...new Set([...audiences.keys()].flatMap(({ owner }) => owner ?? []))];
  const isForMany = ([{ owner }, audience]: readonly [Row, Audience]) =>
    owner === null && (audience === 'everyone' || audience === 'plan');
  const isForAnyAccount = [...audiences].some(isForMany);
  const webhooks = tx
    .selectFrom('webhooks')
    .leftJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .select(['webhooks.id', 'webhooks.types', 'webhooks.account_id', 'accounts.owner', 'accounts.plan'])
    .where('webhooks.status', '=', 'enabled');
  const rows = await webhooks
    .where((eb) => {
      const conditions = [eb('webhooks.account_id', 'is', null)];
      if (isForAnyAccount) conditions.push(eb('accounts.owner', 'is not', null));
      else if (owners.length > 0) conditions.push(eb('accounts.owner', 'in', owners));
      return eb.or(conditions);
    })
    .execute();
  return rows.map(({ id, types, account_id: accountId, owner, plan }) => {
    const account = accountId === null ? null : { owner: owner ?? '', plan: plan ?? '' };
    return { webhookId: id, account, types: JSON.parse(types) as string[] };
  });
}

interface DeliveryPair {
  readonly eventId: string;
  readonly webhookId: string;
}

async function insertDeliveries(tx: Tx, { now }: Dialect, pairs: readonly DeliveryPair[]): Promise<void> {
  for (let start = 0; start < pairs.length; start += ROWS_PER_STATEMENT) {
    const commonColumns = { status: 'pending', leased_until: null, attempts: 0, ended_at: null };
    const rows = pairs.slice(start, start + ROWS_PER_STATEMENT).map(({ eventId, webhookId }) => {
      const ids = { id: createRandomId('dlv'), event_id: eventId, webhook_id: webhookId };
      return { ...ids, ...commonColumns, due_at: now, created_at: now };
    });
    await tx
      .insertInto('deliveries')
      .values(rows)
      .onConflict((on) => on.columns(['event_id', 'webhook_id']).doNothing())
      .execute();
  }
}

async function markRouted(tx: Tx, events: readonly Row[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  await tx.updateTable('events').set({ routed: 1 }).where('id', 'in', ids).execute();
}

/** A webhook, and the properties of its account that decide what it may see. */
export interface Subscriber {
  readonly webhookId: string;
  /** Null: the webhook belongs to the operators, who see all events. */
  readonly account: { readonly owner: string; readonly plan: string } | null;
  readonly types: readonly string[];
}

type RoutedEvent = Pick<Event, 'type' | 'owner' | 'subject'>;

/**
 * Whether an account may see an event. An event with an owner is only for that owner, whatever its audience. For the
 * audience `plan`, the subject is the plan.
 */
export function maySee(
  { owner, subject }: RoutedEvent,
  audience: Audience,
  account: NonNullable<Subscriber['account']>,
): boolean {
  if (audience === 'operators') return false;
  if (owner !== null) return owner === account.owner;
  if (audience === 'plan') return subject === account.plan;
  return audience === 'everyone';
}

/**
 * Whether an event is delivered to a webhook: the webhook must be allowed to see the event, and must subscribe to its
 * type.
 */
export function isDeliverable(event: RoutedEvent, audience: Audience, { account, types }: Subscriber): boolean {
  const isSubscribed = types[0] === ALL_TYPES || types.includes(event.type);
  return isSubscribed && (account === null || maySee(event, audience, account));
}
