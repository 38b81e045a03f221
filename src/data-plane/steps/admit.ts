import type { DecisionObserver } from '../exchange/request-record.ts';
import type { Decision, Outcome } from '../admission/decide.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { CallErrorCode } from '../../domain/error-codes.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import type { Credential } from '../../domain/credential.ts';
import type { Exchange, StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import type { PushUsageHeaders } from '../exchange/push-usage.ts';
import { toUnavailableRefusal } from '../exchange/unavailable.ts';

const CODE_BY_OUTCOME: Record<Exclude<Outcome, 'admitted'>, CallErrorCode> = {
  minute_exhausted: 'rate_limit_exceeded',
  day_exhausted: 'quota_exceeded',
  month_exhausted: 'quota_exceeded',
  banned: 'key_banned',
  cost_exceeds_limit: 'cost_exceeds_limit',
};

/** Replaces the default message of `quota_exceeded`, because that message is about the day. */
const MONTH_EXHAUSTED_MESSAGE = 'The monthly request quota is used up. Wait for the time given in Retry-After.';

interface AdmitDependencies {
  readonly store: AdmissionStore;
  readonly pushUsage: PushUsageHeaders;
  readonly decisionObservers: readonly DecisionObserver[];
}

/** Checks the ban and all windows of the quota in one atomic operation. No other step charges a key. */
export function createAdmitStep({ store, pushUsage, decisionObservers }: AdmitDependencies): ServeStep {
  return function admit(exchange, credential): Awaitable<StepResult> {
    // Calls without a key are limited by address instead.
    if (credential === null) return undefined;
    const { match } = exchange;
    const cost = match.kind === 'operation' ? match.route.operation.cost : 1;
    const decision = store.admit({
      quotaId: credential.quotaId,
      cost,
      limits: credential.limits,
      mode: credential.mode,
      onStoreFailure: credential.onStoreFailure,
    });
    return decision instanceof Promise
      ? decision.then(
          (resolvedDecision) => conclude(exchange, credential, cost, resolvedDecision),
          toUnavailableRefusal,
        )
      : conclude(exchange, credential, cost, decision);
  };

  function conclude(exchange: Exchange, credential: Credential, cost: number, decision: Decision): StepResult {
    exchange.decision = decision;
    pushUsage(exchange, decision);
    for (const notify of decisionObservers) notify(decision, credential, cost, exchange.requestId);
    if (decision.admitted || decision.outcome === 'admitted') return undefined;
    const code = CODE_BY_OUTCOME[decision.outcome];
    if (decision.retryAt === 0) return { code };
    const headers = ['Retry-After', formatRetryAfter(decision.retryAt - decision.now)];
    return decision.outcome === 'month_exhausted'
      ? { code, headers, message: MONTH_EXHAUSTED_MESSAGE }
      : { code, headers };
  }
}
