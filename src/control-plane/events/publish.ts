import type { Announce } from '../../storage/database.ts';
import type { Tx } from '../../storage/tables.ts';
import type { NewEvent } from './event.ts';
import { insertEvents } from './event-rows.ts';

/** Says that there are events to deliver. */
const ANNOUNCEMENT = 'events';

/**
 * Puts events into the outbox, within the transaction of the change that they tell of.
 *
 * @returns the ids of those that are new: one whose unique key is there already was told
 */
export async function publish(
  { tx, announce }: { readonly tx: Tx; readonly announce: Announce },
  events: readonly NewEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = await insertEvents(tx, events);
  if (ids.length > 0) announce(ANNOUNCEMENT);
  return ids;
}

/** Whether a database message is about new events; null says that some may have been missed. */
export function tellsOfEvents(message: string | null): boolean {
  return message === null || message === ANNOUNCEMENT;
}
