import { bucketOf, packed } from '../../../src/history/buckets.ts';
import { type Chunk, MAX_CHUNK_ROWS, type UsageRow } from '../../../src/history/history-store.ts';

/** One request, as the recorder is told of it. */
export interface UsageEvent {
  /** ms since the Unix epoch. */
  readonly at: number;
  readonly keyId: string | null;
  readonly operation: string | null;
  readonly outcome: string;
  readonly statusClass: number;
  readonly units: number;
  readonly refusedUnits: number;
  readonly durationMs: number;
}

/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a flush makes of events: a row for each minute and combination. */
export function rowsOf(events: readonly UsageEvent[]): UsageRow[] {
  const groups = Map.groupBy(events, ({ at, keyId, operation, outcome, statusClass }) =>
    JSON.stringify([at - (at % 60_000), keyId, operation, outcome, statusClass]),
  );
  return [...groups.values()].map(rowOf);
}

function rowOf(events: readonly UsageEvent[]): UsageRow {
  const [{ at, keyId, operation, outcome, statusClass }] = events as [UsageEvent];
  const buckets = Map.groupBy(events, ({ durationMs }) => bucketOf(durationMs));
  const times = events.map((event) => event.at);
  return {
    minute: at - (at % 60_000),
    keyId,
    operation,
    outcome,
    statusClass,
    requests: events.length,
    units: events.reduce((sum, { units }) => sum + units, 0),
    refusedUnits: events.reduce((sum, { refusedUnits }) => sum + refusedUnits, 0),
    durations: [...buckets].toSorted(([a], [b]) => a - b).map(([bucket, { length }]) => packed(bucket, length)),
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
  };
}

export function chunksOf(writer: string, rows: readonly UsageRow[]): Chunk[] {
  const count = Math.ceil(rows.length / MAX_CHUNK_ROWS);
  return Array.from({ length: count }, (_, index) => ({
    writer,
    sequence: index + 1,
    rows: rows.slice(index * MAX_CHUNK_ROWS, (index + 1) * MAX_CHUNK_ROWS),
  }));
}
