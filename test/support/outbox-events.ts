import type { Database } from '../../src/storage/database.ts';
import type { Event, EventFilter } from '../../src/control-plane/events/event.ts';
import { listEvents } from '../../src/control-plane/events/event-outbox.ts';

const ALL = 1_000_000;

/** Reads the events in the outbox, oldest first. */
export async function outboxEvents(database: Database, filter: EventFilter = {}): Promise<Event[]> {
  const page = await database.read((queries) =>
    listEvents(queries, filter, { limit: ALL }, { by: 'written', descending: false }),
  );
  return [...page.items];
}
