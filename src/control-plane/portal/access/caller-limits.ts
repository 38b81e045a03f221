import { type LimitAccountRequests, createAccountRequestLimit } from './account-request-limit.ts';
import {
  createRedeliveryLimit,
  createRequestLimit,
  createWebhookTestLimit,
  type LimitRedeliveries,
  type LimitRequests,
  type LimitWebhookTests,
  type RequestsPerMinute,
} from './request-limit.ts';
import { RunningCalls } from '../try/running-calls.ts';

/** How much callers of the portal may do on this gateway. These outlive a reload, which must not reset any count. */
export interface CallerLimits {
  readonly limitRequests: LimitRequests;
  readonly limitWebhookTests: LimitWebhookTests;
  readonly limitRedeliveries: LimitRedeliveries;
  readonly limitAccountRequests: LimitAccountRequests;
  /** Calls from “Try it”, by session. */
  readonly runningCalls: RunningCalls;
  /** By account. */
  readonly runningWebhookTests: RunningCalls;
  /** Number of reports that are being computed, by caller. */
  readonly runningReports: Map<string, number>;
}

export function createCallerLimits(requestsPerMinute?: RequestsPerMinute): CallerLimits {
  return {
    limitRequests: createRequestLimit(requestsPerMinute),
    limitWebhookTests: createWebhookTestLimit(),
    limitRedeliveries: createRedeliveryLimit(),
    limitAccountRequests: createAccountRequestLimit(),
    runningCalls: new RunningCalls(),
    runningWebhookTests: new RunningCalls(),
    runningReports: new Map(),
  };
}
