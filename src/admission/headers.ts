/**
 * What is said of a quota in headers. Formatting without decisions. Each function appends `name, value` pairs to a flat
 * list, as `writeHead` takes it. `RateLimit` is that of draft-ietf-httpapi-ratelimit-headers.
 */
import type { Decision, Usage } from './decide.ts';

const SECOND = 1000;

/** The `X-RateLimit` trio, of the binding window. `Reset` is in Unix seconds, rounded up. */
export function pushLegacy(headers: string[], usage: Usage): void {
  const window = usage[usage.binding];
  headers.push(
    'X-RateLimit-Limit',
    String(window.limit),
    'X-RateLimit-Remaining',
    String(window.remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(window.resetAt / SECOND)),
  );
}

/** `RateLimit-Policy` and `RateLimit`, of both windows. Times are in seconds, rounded up. */
export function pushIetf(headers: string[], { minute, day, now }: Usage): void {
  const minuteLeft = Math.ceil((minute.resetAt - now) / SECOND);
  const dayLeft = Math.ceil((day.resetAt - now) / SECOND);
  headers.push(
    'RateLimit-Policy',
    `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    'RateLimit',
    `"minute";r=${minute.remaining};t=${minuteLeft}, "day";r=${day.remaining};t=${dayLeft}`,
  );
}

/** The value of `Retry-After` for a refusal that passes (its `retryAt` is not 0): whole seconds, at least 1. */
export function retryAfter(refusal: Pick<Decision, 'now' | 'retryAt'>): string {
  return String(Math.max(1, Math.ceil((refusal.retryAt - refusal.now) / SECOND)));
}
