import { StoreUnavailable } from '../../base/error-types.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { WindowName } from '../../base/quota-limits.ts';
import { bindingView, type Usage, type WindowView } from '../admission/quota-usage.ts';
import type { Exchange } from './exchange.ts';
import { type AddressUsage, type AddressLimiter } from '../../http/address-limiter.ts';
import { pushXRateLimitHeaders } from '../../http/x-rate-limit-headers.ts';
import type { ClientAddress } from '../../http/addresses.ts';

/** Puts a key's rate-limit headers on the response. */
export type PushUsage = (exchange: Exchange, usage: Usage) => void;

export function createPushUsage(ietf: boolean): PushUsage {
  return function pushUsage(exchange, usage) {
    exchange.usage = usage;
    exchange.rateLimited = true;
    pushXRateLimitHeaders(exchange.headers, bindingView(usage));
    if (usage.degraded === true) exchange.headers.push('X-RateLimit-Degraded', 'true');
    if (ietf) pushIetf(exchange.headers, usage);
  };
}

/** Puts the address limiter's figures on the response, if the key's are unknown. */
export function pushAddressLimit(exchange: Exchange, usage: AddressUsage): void {
  exchange.rateLimited = true;
  pushXRateLimitHeaders(exchange.headers, usage);
}

/**
 * `RateLimit-Policy` and `RateLimit` for every window, as flat pairs: draft-ietf-httpapi-ratelimit-headers. Times are in
 * seconds, rounded up.
 */
export function pushIetf(headers: string[], { minute, day, month, now }: Usage): void {
  let policy = `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`;
  let left = `${itemOf('minute', minute, now)}, ${itemOf('day', day, now)}`;
  if (month !== undefined) {
    policy += `, "month";q=${month.limit};w=${(month.resetAt - month.startsAt) / 1000}`;
    left += `, ${itemOf('month', month, now)}`;
  }
  headers.push('RateLimit-Policy', policy, 'RateLimit', left);
}

function itemOf(name: WindowName, { remaining, resetAt }: WindowView, now: number): string {
  return `"${name}";r=${remaining};t=${Math.ceil((resetAt - now) / 1000)}`;
}

export interface KnownUsageDependencies {
  readonly addressLimiter: AddressLimiter;
  readonly store: AdmissionStore;
  readonly clientAddress: ClientAddress;
  readonly pushUsage: PushUsage;
}

/** Gives a response its three rate-limit headers, if it has none yet. */
export type PushKnownUsage = (exchange: Exchange) => Promise<void>;

/**
 * Every response has the three rate-limit headers: the key's if a key is known, otherwise the address limiter's.
 * Nothing is charged for them. If the request was interrupted, the running step may still finish first and add its
 * own.
 */
export function createPushKnownUsage(settings: KnownUsageDependencies): PushKnownUsage {
  const { addressLimiter, store, clientAddress, pushUsage } = settings;
  return async function pushKnownUsage(exchange) {
    if (exchange.rateLimited) return;
    const { credential } = exchange;
    if (credential !== null && exchange.refusal !== 'store_unavailable') {
      try {
        const usage = await store.inspect(credential.quotaId, credential.limits);
        if (!exchange.rateLimited) pushUsage(exchange, usage);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
    const usage = await addressLimiter.peek(clientAddress(exchange.req));
    if (!exchange.rateLimited) pushAddressLimit(exchange, usage);
  };
}
