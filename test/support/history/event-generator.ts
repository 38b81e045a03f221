import type { HistoryEvent } from './history-model.ts';

// The functions are looked up once, because Jest's globals are slow and this code runs millions of times.
const { floor, imul } = Math;

const KEYS = 1000;
const OPERATIONS = ['listPets', 'getPet', 'addPet', 'deletePet', null] as const;

/** Minutes on both sides of the boundary of an hour, of a day and of a month. */
const MINUTES = ['2026-01-31T22:59Z', '2026-01-31T23:00Z', '2026-01-31T23:59Z', '2026-02-01T00:00Z'].map(Date.parse);

/**
 * Generates requests of 1,000 keys in chronological order. The same seed generates the same requests. A few keys make
 * most of the requests, and each key mostly calls one operation. Some requests are refused, some fail, and some have no
 * key.
 */
export function* events(count: number, seed: number): Generator<HistoryEvent> {
  const random = randomFrom(seed);
  for (let index = 0; index < count; index++) {
    const who = floor(KEYS * random() ** 3);
    const what = random() < 0.95 ? who % 4 : floor(random() * OPERATIONS.length);
    const { outcome, statusClass } = chooseOutcome(who, random());
    const isRefused = outcome === 'rate_limit_exceeded';
    const inMinutes = (index / count) * MINUTES.length;
    const minute = MINUTES[floor(inMinutes)] as number;
    yield {
      at: minute + floor((inMinutes % 1) * 60_000),
      key: who === 7 ? null : `key_${who}`,
      operation: OPERATIONS[what] ?? null,
      outcome,
      statusClass,
      units: isRefused ? 0 : 1 + (what % 2),
      refusedUnits: isRefused ? 1 + (what % 2) : 0,
      durationMs: 2 + 4 * random(),
    };
  }
}

function chooseOutcome(who: number, chance: number) {
  // Only one key in ten is ever refused.
  if (who % 10 === 0 && chance < 0.3) return { outcome: 'rate_limit_exceeded', statusClass: 4 };
  if (chance > 0.999) return { outcome: 'upstream_timeout', statusClass: 5 };
  return { outcome: 'served', statusClass: chance > 0.99 ? 4 : 2 };
}

/** Creates a generator of pseudorandom numbers in [0, 1) (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
