import type { Database } from '../../src/storage/database.ts';
import type { Event, EventFilter } from '../../src/control-plane/events/event.ts';
import { selectEvents } from '../../src/control-plane/events/event-outbox.ts';

const ALL = 1_000_000;

/** What the outbox holds, oldest first. */
export async function toldEvents(database: Database, filter: EventFilter = {}): Promise<Event[]> {
  const newestFirst = await database.read((queries) =>
    selectEvents(queries, filter, { before: undefined, limit: ALL }),
  );
  return newestFirst.toReversed();
}
