import type { Usage } from '../admission/usage.ts';
import type { Exchange } from './exchange.ts';
import { type AddressUsage, pushTrio } from '../../http/address-limiter.ts';

/** Puts a key's rate-limit headers on the answer. */
export type PushUsage = (exchange: Exchange, usage: Usage) => void;

export function createPushUsage(ietf: boolean): PushUsage {
  return function pushUsage(exchange, usage) {
    exchange.usage = usage;
    exchange.rateLimited = true;
    pushTrio(exchange.headers, usage[usage.binding]);
    if (usage.degraded === true) exchange.headers.push('X-RateLimit-Degraded', 'true');
    if (ietf) pushIetf(exchange.headers, usage);
  };
}

/** Puts the address limiter's figures on the answer, where those of a key are not known. */
export function pushAddressLimit(exchange: Exchange, usage: AddressUsage): void {
  exchange.rateLimited = true;
  pushTrio(exchange.headers, usage);
}

/**
 * `RateLimit-Policy` and `RateLimit` for both windows, as flat pairs: draft-ietf-httpapi-ratelimit-headers. Times are in
 * seconds, rounded up.
 */
export function pushIetf(headers: string[], { minute, day, now }: Usage): void {
  const minuteLeft = Math.ceil((minute.resetAt - now) / 1000);
  const dayLeft = Math.ceil((day.resetAt - now) / 1000);
  headers.push(
    'RateLimit-Policy',
    `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    'RateLimit',
    `"minute";r=${minute.remaining};t=${minuteLeft}, "day";r=${day.remaining};t=${dayLeft}`,
  );
}
