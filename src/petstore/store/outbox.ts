import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { prepareCommand, prepareSelect } from './database.ts';
import type { PetStoreEvent } from './pet-store-events.ts';
import { ApiError } from '../http/errors.ts';

/** An event that waits to be published. */
export interface OutboxRow {
  /** Increases with every row. */
  readonly sequence: bigint;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** ms since the Unix epoch. */
  readonly at: number;
  /** JSON text. */
  readonly data: string;
}

export interface Outbox {
  /**
   * Adds events. Call this in the transaction of the change.
   *
   * @returns whether any of the events was stored
   * @throws ApiError `overloaded` if too many events wait. The change must then be refused too, because its events would
   *   be lost
   */
  add: (events: readonly PetStoreEvent[]) => boolean;
  /** Reads the oldest events, in order. */
  first: (limit: number) => OutboxRow[];
  /** Removes the events up to and including this one. */
  removeUpTo: (sequence: bigint) => void;
  remove: (sequence: bigint) => void;
}

/** Default maximum number of waiting events. They take tens of MB on disk, and collect in hours without publishing. */
export const MAX_WAITING_EVENTS = 100_000;
const RETRY_AFTER_S = 30;

const COLUMNS = 'sequence, id, type, subject, at, data';
type Columns = [sequence: bigint, id: string, type: string, subject: string, at: bigint, data: string];

function toRow([sequence, id, type, subject, at, data]: Columns): OutboxRow {
  return { sequence, id, type, subject, at: Number(at), data };
}

/**
 * @param types the types of events that are published; other events are not stored, because nothing would remove them
 * @param maxWaiting maximum number of waiting events
 */
export function createOutbox(db: DatabaseSync, types: ReadonlySet<string>, maxWaiting: number): Outbox {
  const insert = prepareCommand(db, 'INSERT INTO outbox (id, type, subject, at, data) VALUES (?, ?, ?, ?, ?)');
  const selectFirst = prepareSelect(db, `SELECT ${COLUMNS} FROM outbox ORDER BY sequence LIMIT ?`, toRow);
  // Estimates the number of rows from both ends of the index, because a count would read all of it. Gaps left by refused
  // events are counted too.
  const estimateRows = prepareSelect(
    db,
    'SELECT max(sequence) - min(sequence) + 1 FROM outbox',
    ([rows]: [bigint | null]) => rows ?? 0n,
  );
  const removeUpTo = prepareCommand(db, 'DELETE FROM outbox WHERE sequence <= ?');
  const remove = prepareCommand(db, 'DELETE FROM outbox WHERE sequence = ?');
  return {
    add(events) {
      const publishedEvents = events.filter(({ type }) => types.has(type));
      if (publishedEvents.length === 0) return false;
      if (Number(estimateRows.get()) + publishedEvents.length > maxWaiting) {
        throw new ApiError('overloaded', undefined, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
      }
      // The sequence cannot be the id, because other databases, or this one after a restore, use the same numbers. So
      // the id is random.
      for (const { type, subject, data } of publishedEvents)
        insert(randomUUID(), type, String(subject), Date.now(), data);
      return true;
    },
    first: (limit) => selectFirst.all(limit),
    removeUpTo: (sequence) => removeUpTo(sequence),
    remove: (sequence) => remove(sequence),
  };
}
