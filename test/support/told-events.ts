import type { Database } from '../../src/storage/database.ts';
import type { Event, EventFilter } from '../../src/control-plane/events/event.ts';
import { listEvents } from '../../src/control-plane/events/event-outbox.ts';

const ALL = 1_000_000;

/** What the outbox holds, oldest first. */
export async function toldEvents(database: Database, filter: EventFilter = {}): Promise<Event[]> {
  const page = await database.read((queries) =>
    listEvents(queries, filter, { limit: ALL }, { by: 'written', descending: false }),
  );
  return [...page.items];
}
