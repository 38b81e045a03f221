import { z } from 'zod';

const DURATION_UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZE_UNITS: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** A duration such as `250ms`, `10s`, `5m`, `24h` or `1d`; in milliseconds. */
export const duration = quantity(DURATION_UNITS, 'a duration such as 250ms, 10s, 5m, 24h or 1d');

/** A size such as `512b`, `16kb` or `1mb` (1 kb is 1024 bytes); in bytes. */
export const size = quantity(SIZE_UNITS, 'a size such as 512b, 16kb or 1mb');

function quantity(units: Record<string, number>, what: string) {
  return z.unknown().transform((value, context) => {
    const match = typeof value === 'string' ? /^(\d{1,9})([a-z]+)$/i.exec(value.trim()) : null;
    const factor = match?.[2] === undefined ? undefined : units[match[2].toLowerCase()];
    if (match?.[1] !== undefined && factor !== undefined) return Number(match[1]) * factor;
    context.addIssue({ code: 'custom', message: `must be ${what}, with its unit; it is ${JSON.stringify(value)}` });
    return z.NEVER;
  });
}
