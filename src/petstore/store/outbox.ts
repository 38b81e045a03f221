import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { command, select } from '../database.ts';
import type { PetStoreEvent } from '../events.ts';

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
  /** Within the transaction of the change. @returns whether any of them is kept */
  add: (events: readonly PetStoreEvent[]) => boolean;
  /** Oldest first. */
  first: (limit: number) => OutboxRow[];
  /** Removes those up to and including this one. */
  removeUpTo: (sequence: bigint) => void;
  remove: (sequence: bigint) => void;
}

const COLUMNS = 'sequence, id, type, subject, at, data';
type Columns = [sequence: bigint, id: string, type: string, subject: string, at: bigint, data: string];

function toRow([sequence, id, type, subject, at, data]: Columns): OutboxRow {
  return { sequence, id, type, subject, at: Number(at), data };
}

/** @param types of events that are published; others are not kept, because nobody would ever take them */
export function outboxStore(db: DatabaseSync, types: ReadonlySet<string>): Outbox {
  const insert = command(db, 'INSERT INTO outbox (id, type, subject, at, data) VALUES (?, ?, ?, ?, ?)');
  const first = select(db, `SELECT ${COLUMNS} FROM outbox ORDER BY sequence LIMIT ?`, toRow);
  const removeUpTo = command(db, 'DELETE FROM outbox WHERE sequence <= ?');
  const remove = command(db, 'DELETE FROM outbox WHERE sequence = ?');
  return {
    add(events) {
      const kept = events.filter(({ type }) => types.has(type));
      // Random, not the sequence: other databases, and this one from a backup, count from the same numbers.
      for (const { type, subject, data } of kept) insert(randomUUID(), type, String(subject), Date.now(), data);
      return kept.length > 0;
    },
    first: (limit) => first.all(limit),
    removeUpTo: (sequence) => removeUpTo(sequence),
    remove: (sequence) => remove(sequence),
  };
}
