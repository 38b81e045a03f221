import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { retryAfterSeconds } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

/** Requests that an account or key may make to the portal of each gateway. */
export interface RequestsPerMinute {
  readonly requests: number;
  readonly changes: number;
}

/** More than people and their programs need, and no more than the database can handle. */
const PER_MINUTE: RequestsPerMinute = { requests: 6000, changes: 600 };

/**
 * Counts a request. Rejects with `rate_limit_exceeded` if there were too many.
 *
 * @param who the id of the account or of the key
 */
export type LimitRequests = (who: string, isChange: boolean) => Promise<void>;

export function createRequestLimit(perMinute = PER_MINUTE): LimitRequests {
  const message = 'Too many requests to the portal. Wait for the time given in Retry-After.';
  const [requests, changes] = [
    createLimit(perMinute.requests, 60, message),
    createLimit(perMinute.changes, 60, message),
  ];

  return async function limitRequests(who, isChange) {
    await requests(who);
    if (isChange) await changes(who);
  };
}

/** Each leaves an event and its delivery, which are kept as long as other events. */
const WEBHOOK_TESTS_PER_HOUR = 60;

/** Counts a test event. Rejects with `rate_limit_exceeded` if there were too many. @param who the id of the account */
export type LimitWebhookTests = (who: string) => Promise<void>;

export function createWebhookTestLimit(perHour = WEBHOOK_TESTS_PER_HOUR): LimitWebhookTests {
  return createLimit(perHour, 3600, 'Too many test events. Wait for the time given in Retry-After.');
}

function createLimit(points: number, seconds: number, message: string): (who: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: seconds });

  return async function limit(who) {
    try {
      await limiter.consume(who);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const headers = { 'Retry-After': retryAfterSeconds(refused.msBeforeNext) };
      throw new Refused('rate_limit_exceeded', { message, headers });
    }
  };
}
