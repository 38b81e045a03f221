import { StoreUnavailable } from '../../base/error-types.ts';
import type { AdmissionStore } from '../admission/store.ts';
import { findBindingWindow, type Usage } from '../admission/quota-usage.ts';
import type { RequestsInFlight } from '../admission/requests-in-flight.ts';
import type { Exchange } from './exchange.ts';
import { type CallUsage, type AddressLimiter } from '../../http/call-limiter.ts';
import { pushIetfHeaders, pushXRateLimitHeaders } from '../../http/rate-limit-headers.ts';
import type { ClientAddress } from '../../http/addresses.ts';

/** Adds the rate-limit headers of a key to the response. */
export type PushUsageHeaders = (exchange: Exchange, usage: Usage) => void;

export function createPushUsageHeaders(withIetfHeaders: boolean): PushUsageHeaders {
  return function pushUsageHeaders(exchange, usage) {
    exchange.usage = usage;
    exchange.hasRateLimitHeaders = true;
    pushXRateLimitHeaders(exchange.headers, findBindingWindow(usage));
    if (usage.degraded === true) exchange.headers.push('X-RateLimit-Degraded', 'true');
    if (withIetfHeaders) pushIetfHeaders(exchange.headers, usage);
  };
}

/** Adds rate-limit headers with the limits of the caller's address, for responses that cannot show those of a key. */
export function pushAddressLimitHeaders(exchange: Exchange, usage: CallUsage): void {
  exchange.hasRateLimitHeaders = true;
  pushXRateLimitHeaders(exchange.headers, usage);
}

interface KnownUsageDependencies {
  readonly addressLimiter: AddressLimiter;
  readonly store: AdmissionStore;
  readonly inFlight: RequestsInFlight;
  readonly clientAddress: ClientAddress;
  readonly pushUsageHeaders: PushUsageHeaders;
}

/** Adds the three rate-limit headers to a response that has none yet. */
export type PushKnownUsageHeaders = (exchange: Exchange) => Promise<void>;

/**
 * Every response has the three rate-limit headers. They show the limits of the key if a key is known and allows the
 * address of the caller, and otherwise the limits of the address. Reading the limits charges nothing. If the request was
 * interrupted, a step that is still running may add the headers during the read, so this is checked again afterwards.
 */
export function createPushKnownUsageHeaders(dependencies: KnownUsageDependencies): PushKnownUsageHeaders {
  const { addressLimiter, store, inFlight, clientAddress, pushUsageHeaders } = dependencies;
  return async function pushKnownUsageHeaders(exchange) {
    if (exchange.hasRateLimitHeaders) return;
    const { credential } = exchange;
    if (credential !== null && !exchange.isFromDisallowedAddress && exchange.refusal !== 'store_unavailable') {
      try {
        const { quotaId, limits } = credential;
        const readUsage = () => store.inspect(quotaId, limits);
        const isOverConcurrentLimit = exchange.refusal === 'too_many_concurrent_requests';
        const usage = await (isOverConcurrentLimit ? inFlight.readUsage(quotaId, limits, readUsage) : readUsage());
        if (!exchange.hasRateLimitHeaders) pushUsageHeaders(exchange, usage);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
    const usage = await addressLimiter.peek(clientAddress(exchange.req));
    if (!exchange.hasRateLimitHeaders) pushAddressLimitHeaders(exchange, usage);
  };
}
