import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { retryAfterSeconds } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

/** Requests that an account or key may make to the portal of each gateway. */
export interface RequestsPerMinute {
  readonly requests: number;
  readonly changes: number;
}

/** More than people and their programs need, and no more than the database can handle: the audit log keeps changes permanently. */
const PER_MINUTE: RequestsPerMinute = { requests: 6000, changes: 600 };

/**
 * Counts a request. Rejects with `rate_limit_exceeded` if there were too many.
 *
 * @param who the id of the account or of the key
 */
export type LimitRequests = (who: string, isChange: boolean) => Promise<void>;

export function createRequestLimit(perMinute = PER_MINUTE): LimitRequests {
  const limiterOf = (points: number) => new RateLimiterMemory({ points, duration: 60 });
  const [requests, changes] = [limiterOf(perMinute.requests), limiterOf(perMinute.changes)];

  return async function limitRequests(who, isChange) {
    try {
      await requests.consume(who);
      if (isChange) await changes.consume(who);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new Refused('rate_limit_exceeded', {
        message: 'Too many requests to the portal. Wait for the time given in Retry-After.',
        headers: { 'Retry-After': retryAfterSeconds(refused.msBeforeNext) },
      });
    }
  };
}
