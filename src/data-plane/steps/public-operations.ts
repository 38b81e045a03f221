import type { Clock } from '../../base/time.ts';
import { retryAfterSeconds } from '../../http/headers.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import type { Exchange, StepResult, Step } from '../exchange.ts';
import type { AddressLimiter } from '../../http/address-limiter.ts';
import { pushAddressLimit } from '../answers/rate-limit-headers.ts';

export interface PublicSettings {
  /** Counts calls by address. */
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

/** Limits calls without a key, to operations that need none, by address: all that is known of such a caller. */
export function createPublicOperations({ addressLimiter, clientAddress, clock }: PublicSettings): Step {
  return function publicOperations(exchange) {
    return exchange.public ? charge(exchange) : undefined;
  };

  async function charge(exchange: Exchange): Promise<StepResult> {
    const usage = await addressLimiter.charge(clientAddress(exchange.req));
    pushAddressLimit(exchange, usage);
    if (!usage.exceeded) return undefined;
    return { code: 'rate_limit_exceeded', headers: ['Retry-After', retryAfterSeconds(usage.resetAt - clock())] };
  }
}
