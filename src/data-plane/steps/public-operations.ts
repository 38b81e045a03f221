import type { ClientAddress } from '../../http/addresses.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import type { Exchange, StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';

interface PublicOperationsDependencies {
  /** Counts calls by address. */
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
}

/**
 * Limits calls to public operations without a key. They are counted by address, because nothing else is known about the
 * caller.
 */
export function createPublicOperationsStep({ addressLimiter, clientAddress }: PublicOperationsDependencies): ServeStep {
  return function publicOperations(exchange, credential) {
    return credential === null ? charge(exchange) : undefined;
  };

  async function charge(exchange: Exchange): Promise<StepResult> {
    const usage = await addressLimiter.charge(clientAddress(exchange.req));
    pushAddressLimitHeaders(exchange, usage);
    if (!usage.exceeded) return undefined;
    return { code: 'rate_limit_exceeded', headers: ['Retry-After', formatRetryAfter(usage.waitMs)] };
  }
}
