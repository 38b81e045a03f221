import { type HistoryStore, MAX_CHUNK_ROWS } from '../../../src/control-plane/history/store/history-store.ts';
import { Recorder } from '../../../src/control-plane/history/recording/recorder.ts';
import type { HistoryEvent } from './history-model.ts';

/** A time in the middle of an hour, a day and a month. */
export const NOW = Date.UTC(2026, 10, 15, 13, 37, 21);

/** Creates a generator of pseudorandom numbers in [0, 1). The numbers are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KINDS: readonly Pick<HistoryEvent, 'outcome' | 'statusClass'>[] = [
  { outcome: 'served', statusClass: 2 },
  { outcome: 'served', statusClass: 2 },
  { outcome: 'served', statusClass: 4 },
  { outcome: 'served', statusClass: 5 },
  { outcome: 'served', statusClass: 0 },
  { outcome: 'rate_limit_exceeded', statusClass: 4 },
  { outcome: 'quota_exceeded', statusClass: 4 },
  { outcome: 'upstream_timeout', statusClass: 5 },
];
const OPERATIONS = ['listPets', 'getPet', 'addPet', 'placeOrder', null];

/**
 * Creates requests of the given keys, spread over the last hours, days, months and years. Most of them are by the first
 * keys.
 */
export function sampleEvents(keyIds: readonly string[], count: number): HistoryEvent[] {
  const random = createRandom(14);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() ** 2 * from.length)] as T;
  const reach = [3 * 3_600_000, 60 * 3_600_000, 95 * 86_400_000, 760 * 86_400_000];
  // Some requests have no key, or a key that has been deleted.
  const keys = [...keyIds, null, 'key_that_is_gone'];
  return Array.from({ length: count }, () => {
    const kind = pick(KINDS);
    const cost = 1 + Math.floor(random() * 3);
    const isRefused = kind.outcome.endsWith('exceeded');
    return {
      at: NOW - Math.floor(random() * pick(reach)),
      key: pick(keys),
      operation: pick(OPERATIONS),
      ...kind,
      units: isRefused ? 0 : cost,
      refusedUnits: isRefused ? cost : 0,
      durationMs: 0.02 + 2000 * random() ** 6,
    };
  });
}

/** Records and writes events like the gateway named `writer`. */
export async function writeEvents(history: HistoryStore, writer: string, events: readonly HistoryEvent[]) {
  let now = 0;
  const recorder = new Recorder(() => now);
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    now = event.at;
    const { key, operation, outcome, statusClass, units, refusedUnits, durationMs } = event;
    recorder.record(key, operation, outcome, statusClass, units, refusedUnits, durationMs);
  }
  recorder.closeMinute();
  for (let sequence = 1; ; sequence++) {
    const rows = recorder.take(MAX_CHUNK_ROWS);
    if (rows.length === 0) return;
    await history.write({ writer, sequence, rows });
  }
}
