import type { Usage } from '../../admission/usage.ts';
import { pushIetf, pushLegacy } from '../../admission/headers.ts';
import type { Exchange } from '../exchange.ts';
import type { AddressUsage } from '../caller/address-limiter.ts';

/** Puts a key's rate-limit headers on the answer. */
export type PushUsage = (exchange: Exchange, usage: Usage) => void;

export function createPushUsage(ietf: boolean): PushUsage {
  return function pushUsage(exchange, usage) {
    exchange.usage = usage;
    exchange.rateLimited = true;
    pushLegacy(exchange.headers, usage);
    if (usage.degraded === true) exchange.headers.push('X-RateLimit-Degraded', 'true');
    if (ietf) pushIetf(exchange.headers, usage);
  };
}

/** Puts the address limiter's figures on the answer, where those of a key are not known. */
export function pushAddressLimit(exchange: Exchange, usage: AddressUsage): void {
  exchange.rateLimited = true;
  exchange.headers.push(...addressLimitHeaders(usage));
}

export function addressLimitHeaders({ limit, remaining, resetAt }: AddressUsage): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAt / 1000)),
  ];
}
