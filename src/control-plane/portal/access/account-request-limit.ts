import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { networkOf } from '../../../http/addresses.ts';
import { retryAfterSeconds } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

/** Requests per hour and gateway. People send one; the rest allows for mistakes and for colleagues behind one address. */
const PER_HOUR = { address: 5, total: 100 };
const HOUR_SECONDS = 3600;

/** Counts a request for an account. Rejects with `rate_limit_exceeded` if there were too many. */
export type LimitAccountRequests = (address: string) => Promise<void>;

export function createAccountRequestLimit(): LimitAccountRequests {
  const byAddress = new RateLimiterMemory({ points: PER_HOUR.address, duration: HOUR_SECONDS });
  const total = new RateLimiterMemory({ points: PER_HOUR.total, duration: HOUR_SECONDS });

  return async function limitAccountRequests(address) {
    const network = networkOf(address);
    try {
      const used = await byAddress.get(network);
      if (used !== null && used.remainingPoints <= 0) throw used;
      // First, so that no more addresses are remembered than requests are accepted.
      await total.consume('');
      await byAddress.consume(network);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooManyAccountRequests(retryAfterSeconds(refused.msBeforeNext));
    }
  };
}

export function tooManyAccountRequests(retryAfter = String(HOUR_SECONDS)): Refused {
  return new Refused('rate_limit_exceeded', {
    message: 'Too many requests for an account. Wait for the time given in Retry-After, or contact the team.',
    headers: { 'Retry-After': retryAfter },
  });
}
