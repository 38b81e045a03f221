import type { Clock } from '../../admission/store.ts';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { ClientAddress } from '../caller/client-address.ts';
import type { Exchange, StepResult, Step } from '../exchange.ts';
import type { AddressLimiter } from '../caller/address-limiter.ts';
import { presentedKey } from '../caller/presented-key.ts';
import { pushAddressLimit } from '../http/rate-limit-headers.ts';

export interface PublicSettings {
  /** Counts calls by address. */
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

/**
 * Lets calls without a key through to operations that need none. Such a caller is known by address only, and limited by
 * it. A key that is sent is authenticated, charged and limited as on any operation: its owner does not share the limit
 * of the address.
 */
export function createPublicOperations({ addressLimiter, clientAddress, clock }: PublicSettings): Step {
  return function publicOperations(exchange) {
    const { match, req } = exchange;
    const needsKey = match.kind !== 'operation' || !match.route.operation.public;
    return needsKey || presentedKey(req.rawHeaders) !== null ? undefined : charge(exchange);
  };

  async function charge(exchange: Exchange): Promise<StepResult> {
    const usage = await addressLimiter.charge(clientAddress(exchange.req));
    pushAddressLimit(exchange, usage);
    exchange.public = true;
    if (!usage.exceeded) return undefined;
    return { code: 'rate_limit_exceeded', headers: ['Retry-After', retryAfterSeconds(usage.resetAt - clock())] };
  }
}
