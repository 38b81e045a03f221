import { type UsageEvent, seeded } from './events.ts';

/** In the middle of an hour, of a day and of a month. */
export const NOW = Date.UTC(2026, 10, 15, 13, 37, 21);
export const KEEP = { minutes: 48 * 3_600_000, hours: 90 * 86_400_000, days: 730 * 86_400_000 };

const KINDS: readonly Pick<UsageEvent, 'outcome' | 'statusClass'>[] = [
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

/** Requests of some keys, more of the first than of the last: of the last minutes, days, months and years. */
export function sampleEvents(keyIds: readonly string[], count: number): UsageEvent[] {
  const random = seeded(14);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() ** 2 * from.length)] as T;
  const reach = [3 * 3_600_000, 60 * 3_600_000, 95 * 86_400_000, 760 * 86_400_000];
  // Nobody, and a key that is not among the records any more.
  const keys = [...keyIds, null, 'key_that_is_gone'];
  return Array.from({ length: count }, () => {
    const kind = pick(KINDS);
    const cost = 1 + Math.floor(random() * 3);
    const isRefused = kind.outcome.endsWith('exceeded');
    return {
      at: NOW - Math.floor(random() * pick(reach)),
      keyId: pick(keys),
      operation: pick(OPERATIONS),
      ...kind,
      units: isRefused ? 0 : cost,
      refusedUnits: isRefused ? cost : 0,
      durationMs: 0.02 + 2000 * random() ** 6,
    };
  });
}
