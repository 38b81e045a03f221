import type { Selectable } from 'kysely';
import type { EventTable, Queries, Tx } from '../../storage/tables.ts';
import { parseExact } from '../../base/json.ts';
import type { Page, PageRequest } from '../../storage/paging.ts';
import { readSortedPage } from '../../storage/sorted-page.ts';
import { type Event, type EventFilter, type EventOrder, GATEWAY, type NewEvent } from './event.ts';
import type { Announce } from '../../storage/database.ts';

/** Reads and writes the `events` table, and announces new events. */

/** The database message that announces new events. */
const NOTIFICATION_CHANNEL = 'events';

/**
 * Puts events into the outbox, in the transaction of the change they describe.
 *
 * @returns the ids of the new events; an event with an existing unique key is left out
 */
export async function publish(
  { tx, announce }: { readonly tx: Tx; readonly announce: Announce },
  events: readonly NewEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = await insertEvents(tx, events);
  if (ids.length > 0) announce(NOTIFICATION_CHANNEL);
  return ids;
}

/** Whether there may be new events. A null message means that messages may have been missed. */
export function isEventNotification(message: string | null): boolean {
  return message === null || message === NOTIFICATION_CHANNEL;
}

/** Rows per statement: PostgreSQL allows at most 65,535 values, SQLite 32,766. */
const ROWS_PER_STATEMENT = 500;

/**
 * @param routed true if the events need no deliveries
 * @returns the ids of the new events; an event with an existing id or unique key is left out
 */
export async function insertEvents(
  tx: Tx,
  events: readonly NewEvent[],
  { routed = false }: { readonly routed?: boolean } = {},
): Promise<string[]> {
  const ids: string[] = [];
  const sortedEvents = sortByUniqueKey(events);
  for (let start = 0; start < sortedEvents.length; start += ROWS_PER_STATEMENT) {
    const rows = sortedEvents.slice(start, start + ROWS_PER_STATEMENT).map((event) => toRow(event, routed));
    const insert = tx.insertInto('events').values(rows);
    const inserted = await insert
      .onConflict((on) => on.doNothing())
      .returning('id')
      .execute();
    ids.push(...inserted.map(({ id }) => id));
  }
  return ids;
}

/** The ids of the events with these unique keys, by unique key. */
export async function findIdsByUniqueKey(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const query = tx.selectFrom('events').select(['id', 'unique_key']).where('unique_key', 'in', keys);
  return new Map((await query.execute()).map(({ id, unique_key: key }) => [key ?? '', id]));
}

export function listEvents(
  queries: Queries,
  { type, subject, from, to }: EventFilter,
  page: PageRequest,
  order: EventOrder,
): Promise<Page<Event>> {
  let query = queries.selectFrom('events').selectAll();
  if (type !== undefined) query = query.where('type', '=', type);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  return readSortedPage(query, { list: 'events', order, values: { written: null } }, page, toEvent);
}

/**
 * Sorts events by unique key. Gateways that publish the same events at the same time wait for each other's unique keys,
 * and would deadlock without a common order. Events without a unique key keep their order. Events of services keep
 * their order, too, because receivers read them in order. So gateways that run the same module may deadlock, if they
 * publish the same ids in different orders at the same time. PostgreSQL then aborts one of the transactions, and
 * `Database.transaction` runs the work again.
 */
function sortByUniqueKey(events: readonly NewEvent[]): readonly NewEvent[] {
  if (events.every(({ uniqueKey, source }) => uniqueKey === undefined || source !== GATEWAY)) return events;
  return events.toSorted(({ uniqueKey: one = '' }, { uniqueKey: other = '' }) =>
    one < other ? -1 : Number(one > other),
  );
}

function toEvent({ sequence, id, type, subject, owner, source, at, data }: Selectable<EventTable>): Event {
  return { sequence, id, type, subject, owner, source, at, data: parseExact(data) as Event['data'] };
}

function toRow({ id, type, subject, owner, source, at, data, uniqueKey }: NewEvent, routed: boolean) {
  const columns = { id, type, subject, owner, source, at };
  return { ...columns, data: JSON.stringify(data), unique_key: uniqueKey ?? null, routed: routed ? 1 : 0 };
}
