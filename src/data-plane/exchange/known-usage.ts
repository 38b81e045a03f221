import type { ClientAddress } from '../../http/addresses.ts';
import type { AdmissionStore } from '../admission/store.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { AddressLimiter } from '../../http/address-limiter.ts';
import type { Exchange } from './exchange.ts';
import { pushAddressLimit, type PushUsage } from './rate-limit-headers.ts';

export interface KnownUsageSettings {
  readonly addressLimiter: AddressLimiter;
  readonly store: AdmissionStore;
  readonly clientAddress: ClientAddress;
  readonly pushUsage: PushUsage;
}

/** Gives an answer its three rate-limit headers, if it has none yet. */
export type PushKnownUsage = (exchange: Exchange) => Promise<void>;

/**
 * Every answer has the three rate-limit headers: the key's if one is known, else the address limiter's. Neither is
 * charged for it. A step that was running when the request was interrupted may finish first, and have pushed its own.
 */
export function createPushKnownUsage(settings: KnownUsageSettings): PushKnownUsage {
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
