import { z } from 'zod';
import type { BanPolicy } from '../data-plane/admission/ban-rules.ts';
import { count, duration, span } from '../base/units.ts';

/** `bans`: when a key is banned, and for how long. */
export const banSettings = z
  .strictObject({
    strikes: count.default(10),
    within: span.prefault('5m'),
    grace: duration.prefault('1s'),
    patience: span.prefault('30s'),
    durations: z.array(span).min(1, 'must have at least one duration').prefault(['1m', '5m', '15m', '60m']),
    forgiveAfter: span.prefault('24h'),
  })
  .prefault({});

/** Converts the section `bans` to the policy that admission uses. */
export function toBanPolicy(settings: z.output<typeof banSettings>): BanPolicy {
  const { strikes, within, grace, patience, durations, forgiveAfter } = settings;
  return {
    strikes,
    withinMs: within,
    graceMs: grace,
    patienceMs: patience,
    durationsMs: durations,
    forgiveAfterMs: forgiveAfter,
  };
}
