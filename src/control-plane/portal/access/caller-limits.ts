import { HOUR_MS, MINUTE_MS } from '../../../base/time.ts';
import { AddressLimiter, CallLimiter } from '../../../http/call-limiter.ts';
import { formatRetryAfter } from '../../../http/retry-after.ts';
import { Refused } from '../../api-server/refused.ts';
import { RunningCalls } from '../try/running-calls.ts';

/**
 * Limits on what callers of the portal may do on this gateway. They outlive a reload, because a reload must not reset
 * any count.
 */
export interface CallerLimits {
  readonly limitRequests: LimitRequests;
  /** By account. */
  readonly limitWebhookTests: LimitCalls;
  /** By account. */
  readonly limitRedeliveries: LimitCalls;
  /** By address. */
  readonly limitAccountRequests: LimitCalls;
  /** Calls from “Try it”, by session. */
  readonly runningCalls: RunningCalls;
  /** By account. */
  readonly runningWebhookTests: RunningCalls;
  /** Number of reports that are being computed, by name of the caller. */
  readonly runningReports: Map<string, number>;
}

export function createCallerLimits(requestsPerMinute?: RequestsPerMinute): CallerLimits {
  return {
    limitRequests: createRequestLimit(requestsPerMinute),
    limitWebhookTests: createCallLimit(WEBHOOK_TESTS_PER_HOUR, HOUR_MS, TOO_MANY_WEBHOOK_TESTS),
    limitRedeliveries: createCallLimit(REDELIVERIES_PER_HOUR, HOUR_MS, TOO_MANY_REDELIVERIES),
    limitAccountRequests: createAccountRequestLimit(),
    runningCalls: new RunningCalls(),
    runningWebhookTests: new RunningCalls(),
    runningReports: new Map(),
  };
}

/**
 * Tests are limited, because each test creates an event and a delivery, and both are stored as long as any other event.
 */
const WEBHOOK_TESTS_PER_HOUR = 60;
const TOO_MANY_WEBHOOK_TESTS = 'Too many test events. Wait for the time given in Retry-After.';

/**
 * This is enough for a program that redelivers all failed events after an outage. Redeliveries are limited, because
 * consumers need not prove that they own a webhook's address.
 */
const REDELIVERIES_PER_HOUR = 600;
const TOO_MANY_REDELIVERIES = 'Too many redeliveries. Wait for the time given in Retry-After.';

/** Counts a call of an account or address. Rejects with `rate_limit_exceeded` if it has made too many. */
export type LimitCalls = (callerId: string) => Promise<void>;

function createCallLimit(limit: number, withinMs: number, message: string): LimitCalls {
  return createLimit(new CallLimiter({ limit, withinMs }), message);
}

function createLimit(limiter: CallLimiter, message: string): LimitCalls {
  return async function limitCaller(callerId) {
    const { exceeded, waitMs } = await limiter.charge(callerId);
    if (exceeded) throw createTooManyCalls(message, waitMs);
  };
}

function createTooManyCalls(message: string, waitMs: number): Refused {
  return new Refused('rate_limit_exceeded', { message, headers: { 'Retry-After': formatRetryAfter(waitMs) } });
}

/** The requests that the portal of each gateway accepts within a minute. */
export interface RequestsPerMinute {
  /** All requests of one session of an account. */
  readonly requests: number;
  /** Changes of one account. */
  readonly changes: number;
  /** Requests of one session that end somebody's access. */
  readonly endings: number;
}

/** The default limits: more than people and their programs need, but not more than the database can handle. */
const REQUESTS_PER_MINUTE: RequestsPerMinute = { requests: 6000, changes: 600, endings: 120 };
const TOO_MANY_REQUESTS = 'Too many requests to the portal. Wait for the time given in Retry-After.';

export interface CountedRequest {
  /** The id of the account or of the key. */
  readonly callerId: string;
  /**
   * The id of the session. If the caller signed in with a key, the id of the key instead, because the holder of a key
   * can start any number of sessions.
   */
  readonly session: string;
  readonly kind: 'read' | 'change' | 'ending';
}

/**
 * Counts a request. Rejects with `rate_limit_exceeded` if there were too many.
 *
 * Requests that end access are counted by session. So a session of an attacker cannot use up the limit, and the owner can
 * still end that session and revoke keys.
 */
export type LimitRequests = (request: CountedRequest) => Promise<void>;

export function createRequestLimit(perMinute = REQUESTS_PER_MINUTE): LimitRequests {
  const limitSession = createCallLimit(perMinute.requests, MINUTE_MS, TOO_MANY_REQUESTS);
  const limitChanges = createCallLimit(perMinute.changes, MINUTE_MS, TOO_MANY_REQUESTS);
  const limitEndings = createCallLimit(perMinute.endings, MINUTE_MS, TOO_MANY_REQUESTS);

  return async function limitRequests({ callerId, session, kind }) {
    await limitSession(session);
    if (kind === 'change') await limitChanges(callerId);
    if (kind === 'ending') await limitEndings(session);
  };
}

/**
 * Account requests per hour and gateway. A person needs only one. The limit per address is higher because people make
 * mistakes, and because colleagues may share an address.
 */
const ACCOUNT_REQUESTS_PER_HOUR = { address: 5, total: 100 };
const TOO_MANY_ACCOUNT_REQUESTS =
  'Too many requests for an account. Wait for the time given in Retry-After, or contact the team.';

function createAccountRequestLimit(): LimitCalls {
  const { address: perAddress, total } = ACCOUNT_REQUESTS_PER_HOUR;
  const addressLimiter = new AddressLimiter({ limit: perAddress, withinMs: HOUR_MS });
  const limitAddress = createLimit(addressLimiter, TOO_MANY_ACCOUNT_REQUESTS);
  const limitTotal = createCallLimit(total, HOUR_MS, TOO_MANY_ACCOUNT_REQUESTS);

  return async function limitAccountRequests(address) {
    const { remaining, waitMs } = await addressLimiter.peek(address);
    if (remaining === 0) throw createTooManyAccountRequests(waitMs);
    // The total is counted first. So a request that exceeds it adds no address to the memory of the other limiter.
    await limitTotal('');
    await limitAddress(address);
  };
}

export function createTooManyAccountRequests(waitMs = HOUR_MS): Refused {
  return createTooManyCalls(TOO_MANY_ACCOUNT_REQUESTS, waitMs);
}
