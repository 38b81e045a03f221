import { z } from 'zod';
import { tableOf } from './table-of.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';

const DURATION_UNITS = tableOf({ ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS });
const SIZE_UNITS = tableOf({ b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 });

/** Maximum duration of a timer. Above about 24.8 days, Node's timers overflow and fire immediately. */
const MAX_TIMER_MS = 24 * DAY_MS;

/** Schema for a duration such as `250ms`, `10s`, `5m`, `24h` or `1d`. The result is in milliseconds. */
export const duration = createQuantitySchema(
  DURATION_UNITS,
  'a duration such as 250ms, 10s, 5m, 24h or 1d, at most 24d',
  0,
  MAX_TIMER_MS,
);

/** Schema for a duration greater than zero, in milliseconds. */
export const positiveDuration = createQuantitySchema(
  DURATION_UNITS,
  'a duration greater than zero, such as 250ms, 10s or 5m, at most 24d',
  1,
  MAX_TIMER_MS,
);

/** Schema for a duration without an upper limit, in milliseconds. Do not use it for a timer. */
export const span = createQuantitySchema(
  DURATION_UNITS,
  'a duration greater than zero, such as 10s, 5m, 24h or 30d',
  1,
  Number.MAX_SAFE_INTEGER,
);

/** Schema for a positive number of things. */
export const count = z.int('must be a whole number').positive('must be at least 1');

/** Schema for a size such as `512b`, `16kb` or `1mb` (1 kb is 1024 bytes). The result is in bytes. */
export const size = createQuantitySchema(
  SIZE_UNITS,
  'a size such as 512b, 16kb or 1mb, at least 1b',
  1,
  Number.MAX_SAFE_INTEGER,
);

function createQuantitySchema(units: ReadonlyMap<string, number>, what: string, min: number, max: number) {
  return z.unknown().transform((value, context) => {
    const match = typeof value === 'string' ? /^(\d{1,9})([a-z]+)$/i.exec(value.trim()) : null;
    const factor = match?.[2] === undefined ? undefined : units.get(match[2].toLowerCase());
    const amount = Number(match?.[1]) * (factor ?? Number.NaN);
    if (amount >= min && amount <= max) return amount;
    context.addIssue({ code: 'custom', message: `must be ${what}, with a unit; got ${JSON.stringify(value)}` });
    return z.NEVER;
  });
}
