import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { command, select } from './database.ts';
import type { PetStoreEvent } from './pet-store-events.ts';
import { ApiError } from '../http/errors.ts';

/** An event that waits to be published. */
export interface OutboxRow {
  /** Rises with every row. */
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
   * Call it in the transaction of the change.
   *
   * @returns whether any of them is stored
   * @throws ApiError `overloaded` if too many wait: then the change is not made, because its event would be lost
   */
  add: (events: readonly PetStoreEvent[]) => boolean;
  /** Oldest first. */
  first: (limit: number) => OutboxRow[];
  /** Removes those up to and including this one. */
  removeUpTo: (sequence: bigint) => void;
  remove: (sequence: bigint) => void;
}

/** Tens of MB on disk: hours without publishing. */
export const MAX_WAITING = 100_000;
const RETRY_AFTER_S = 30;

const COLUMNS = 'sequence, id, type, subject, at, data';
type Columns = [sequence: bigint, id: string, type: string, subject: string, at: bigint, data: string];

function toRow([sequence, id, type, subject, at, data]: Columns): OutboxRow {
  return { sequence, id, type, subject, at: Number(at), data };
}

/**
 * @param types of events that are published; others are not stored, because nothing would ever remove them
 * @param maxWaiting maximum number of waiting events
 */
export function outboxStore(db: DatabaseSync, types: ReadonlySet<string>, maxWaiting: number): Outbox {
  const insert = command(db, 'INSERT INTO outbox (id, type, subject, at, data) VALUES (?, ?, ?, ?, ?)');
  const first = select(db, `SELECT ${COLUMNS} FROM outbox ORDER BY sequence LIMIT ?`, toRow);
  // Both ends of an index, because a count would read all of it. A refused event leaves a gap, which counts.
  const span = select(
    db,
    'SELECT max(sequence) - min(sequence) + 1 FROM outbox',
    ([rows]: [bigint | null]) => rows ?? 0n,
  );
  const removeUpTo = command(db, 'DELETE FROM outbox WHERE sequence <= ?');
  const remove = command(db, 'DELETE FROM outbox WHERE sequence = ?');
  return {
    add(events) {
      const kept = events.filter(({ type }) => types.has(type));
      if (kept.length === 0) return false;
      if (Number(span.get()) + kept.length > maxWaiting) {
        throw new ApiError('overloaded', undefined, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
      }
      // Random, not the sequence: other databases, and this one from a backup, count from the same numbers.
      for (const { type, subject, data } of kept) insert(randomUUID(), type, String(subject), Date.now(), data);
      return true;
    },
    first: (limit) => first.all(limit),
    removeUpTo: (sequence) => removeUpTo(sequence),
    remove: (sequence) => remove(sequence),
  };
}
