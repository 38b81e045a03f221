import { StoreUnavailable } from '../../base/error-types.ts';
import type { AdmissionStore } from '../admission/store.ts';
import { bindingView, type Usage } from '../admission/quota-usage.ts';
import type { RequestsInFlight } from '../admission/requests-in-flight.ts';
import type { Exchange } from './exchange.ts';
import { type CallUsage, type AddressLimiter } from '../../http/call-limiter.ts';
import { pushIetfHeaders, pushXRateLimitHeaders } from '../../http/rate-limit-headers.ts';
import type { ClientAddress } from '../../http/addresses.ts';

/** Adds the rate-limit headers of a key to the response. */
export type PushUsage = (exchange: Exchange, usage: Usage) => void;

export function createPushUsage(ietf: boolean): PushUsage {
  return function pushUsage(exchange, usage) {
    exchange.usage = usage;
    exchange.rateLimited = true;
    pushXRateLimitHeaders(exchange.headers, bindingView(usage));
    if (usage.degraded === true) exchange.headers.push('X-RateLimit-Degraded', 'true');
    if (ietf) pushIetfHeaders(exchange.headers, usage);
  };
}

/** Adds rate-limit headers with the limits of the caller's address, for responses that cannot show those of a key. */
export function pushAddressLimit(exchange: Exchange, usage: CallUsage): void {
  exchange.rateLimited = true;
  pushXRateLimitHeaders(exchange.headers, usage);
}

interface KnownUsageDependencies {
  readonly addressLimiter: AddressLimiter;
  readonly store: AdmissionStore;
  readonly inFlight: RequestsInFlight;
  readonly clientAddress: ClientAddress;
  readonly pushUsage: PushUsage;
}

/** Adds the three rate-limit headers to a response that has none yet. */
export type PushKnownUsage = (exchange: Exchange) => Promise<void>;

/**
 * Every response has the three rate-limit headers. They show the limits of the key if a key is known and allows the
 * address of the caller, and otherwise the limits of the address. Reading the limits charges nothing. If the request was
 * interrupted, a step that is still running may add the headers during the read, so this is checked again afterwards.
 */
export function createPushKnownUsage(settings: KnownUsageDependencies): PushKnownUsage {
  const { addressLimiter, store, inFlight, clientAddress, pushUsage } = settings;
  return async function pushKnownUsage(exchange) {
    if (exchange.rateLimited) return;
    const { credential } = exchange;
    if (credential !== null && !exchange.fromElsewhere && exchange.refusal !== 'store_unavailable') {
      try {
        const { quotaId, limits } = credential;
        const read = () => store.inspect(quotaId, limits);
        const isRepeated = exchange.refusal === 'too_many_concurrent_requests';
        const usage = await (isRepeated ? inFlight.usage(quotaId, limits, read) : read());
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
