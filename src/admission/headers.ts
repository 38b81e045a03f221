/**
 * Quota headers: formatting, no decisions. Each function appends `name, value` pairs to a flat list, in the form that
 * `writeHead` takes. `RateLimit` is as in draft-ietf-httpapi-ratelimit-headers.
 */
import { retryAfterSeconds } from '../base/retry-after.ts';
import type { Decision } from './decide.ts';
import type { Usage } from './usage.ts';

const SECOND_MS = 1000;

/** The three `X-RateLimit` headers for the binding window. `Reset` is in Unix seconds, rounded up. */
export function pushLegacy(headers: string[], usage: Usage): void {
  const window = usage[usage.binding];
  headers.push(
    'X-RateLimit-Limit',
    String(window.limit),
    'X-RateLimit-Remaining',
    String(window.remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(window.resetAt / SECOND_MS)),
  );
}

/** `RateLimit-Policy` and `RateLimit` for both windows. Times are in seconds, rounded up. */
export function pushIetf(headers: string[], { minute, day, now }: Usage): void {
  const minuteLeft = Math.ceil((minute.resetAt - now) / SECOND_MS);
  const dayLeft = Math.ceil((day.resetAt - now) / SECOND_MS);
  headers.push(
    'RateLimit-Policy',
    `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    'RateLimit',
    `"minute";r=${minute.remaining};t=${minuteLeft}, "day";r=${day.remaining};t=${dayLeft}`,
  );
}

/** The value of `Retry-After` for a temporary refusal (its `retryAt` is not 0): whole seconds, at least 1. */
export function retryAfter(refusal: Pick<Decision, 'now' | 'retryAt'>): string {
  return retryAfterSeconds(refusal.retryAt - refusal.now);
}
