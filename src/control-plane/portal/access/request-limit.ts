import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { retryAfterSeconds } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';

/** The requests that the portal of each gateway accepts within a minute. */
export interface RequestsPerMinute {
  /** All requests of one session of an account. */
  readonly requests: number;
  /** Changes of one account. */
  readonly changes: number;
  /** Requests of one session that end access which somebody has. */
  readonly endings: number;
}

/** More than people and their programs need, and no more than the database can handle. */
const PER_MINUTE: RequestsPerMinute = { requests: 6000, changes: 600, endings: 120 };

export interface CountedRequest {
  /** The id of the account or of the key. */
  readonly who: string;
  /** The id of the session; for a key, the key's, because whoever has it can start any number of sessions. */
  readonly session: string;
  readonly kind: 'read' | 'change' | 'ending';
}

/**
 * Counts a request. Rejects with `rate_limit_exceeded` if there were too many.
 *
 * What one session does must not keep another one from ending it, or from revoking keys.
 */
export type LimitRequests = (request: CountedRequest) => Promise<void>;

export function createRequestLimit(perMinute = PER_MINUTE): LimitRequests {
  const message = 'Too many requests to the portal. Wait for the time given in Retry-After.';
  const limit = (points: number) => createLimit(points, 60, message);
  const requests = limit(perMinute.requests);
  const changes = limit(perMinute.changes);
  const endings = limit(perMinute.endings);

  return async function limitRequests({ who, session, kind }) {
    await requests(session);
    if (kind === 'change') await changes(who);
    if (kind === 'ending') await endings(session);
  };
}

/** Each leaves an event and its delivery, which are kept as long as other events. */
const WEBHOOK_TESTS_PER_HOUR = 60;

/** Counts a test event. Rejects with `rate_limit_exceeded` if there were too many. @param who the id of the account */
export type LimitWebhookTests = (who: string) => Promise<void>;

export function createWebhookTestLimit(perHour = WEBHOOK_TESTS_PER_HOUR): LimitWebhookTests {
  return createLimit(perHour, 3600, 'Too many test events. Wait for the time given in Retry-After.');
}

/** After an outage, a program may ask for all that failed. Nobody proves that the address of a webhook is theirs. */
const REDELIVERIES_PER_HOUR = 600;

/** Counts a redelivery on request. Rejects with `rate_limit_exceeded` if there were too many. @param who as above */
export type LimitRedeliveries = (who: string) => Promise<void>;

export function createRedeliveryLimit(perHour = REDELIVERIES_PER_HOUR): LimitRedeliveries {
  return createLimit(perHour, 3600, 'Too many redeliveries. Wait for the time given in Retry-After.');
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
