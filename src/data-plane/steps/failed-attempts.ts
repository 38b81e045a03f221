import type { Clock } from '../../base/time.ts';
import type { Credential } from '../../domain/credential.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';

interface FailedAttemptsDependencies {
  /** Counts failed attempts by address. */
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly onAddressRefused: OnAddressRefused;
  readonly clock: Clock;
}

/** Called when a key is used from an address that it does not allow. @param at ms since the Unix epoch */
export type OnAddressRefused = (credential: Credential, address: string, at: number) => void;

/** Refuses failed attempts to use a key. Each attempt is charged to the address of the caller. */
export interface FailedAttempts {
  /**
   * Charges a failed attempt to the caller's address.
   *
   * @returns `refusal`; above the limit of the address, a refusal that does not say why the attempt failed
   */
  refuse(exchange: Exchange, refusal: Refusal): Promise<Refusal>;
  /**
   * Refuses a key that does not allow the caller's address. The response shows the limit of the address, not the limits
   * of the key.
   */
  refuseAddress(exchange: Exchange, credential: Credential): Promise<Refusal>;
}

export function createFailedAttempts(dependencies: FailedAttemptsDependencies): FailedAttempts {
  const { addressLimiter, clientAddress, onAddressRefused, clock } = dependencies;

  async function refuse(exchange: Exchange, refusal: Refusal): Promise<Refusal> {
    const usage = await addressLimiter.charge(clientAddress(exchange.req));
    if (!usage.exceeded) return refusal;
    pushAddressLimitHeaders(exchange, usage);
    return { code: 'too_many_failed_attempts', headers: ['Retry-After', formatRetryAfter(usage.waitMs)] };
  }

  return {
    refuse,
    refuseAddress(exchange, credential) {
      onAddressRefused(credential, clientAddress(exchange.req), clock());
      exchange.isFromDisallowedAddress = true;
      // The log and the history show the key.
      exchange.credential = credential;
      return refuse(exchange, ADDRESS_NOT_ALLOWED);
    },
  };
}

const ADDRESS_NOT_ALLOWED: Refusal = { code: 'address_not_allowed' };
