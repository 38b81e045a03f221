import type { Decision, Outcome } from '../admission/decide.ts';
import type { AdmissionStore } from '../admission/store.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { CallErrorCode } from '../../base/error-codes.ts';
import { retryAfterSeconds } from '../../http/headers.ts';
import type { Credential } from '../../base/credential.ts';
import type { Exchange, StepResult, Step } from '../exchange.ts';
import type { PushUsage } from '../answers/rate-limit-headers.ts';
import type { OnDecided } from '../../control-plane/events/quota-thresholds.ts';
import { refuseUnavailable } from '../unavailable.ts';

const CODES: Record<Exclude<Outcome, 'admitted'>, CallErrorCode> = {
  minute_exhausted: 'rate_limit_exceeded',
  day_exhausted: 'quota_exceeded',
  banned: 'key_banned',
  cost_exceeds_limit: 'cost_exceeds_limit',
};

/** Called for every request that a ban refuses; the one that completed the strikes, and so started it, has `banStarted`. */
export type OnBanned = (exchange: Exchange, decision: Decision) => void;

export interface AdmitSettings {
  readonly store: AdmissionStore;
  readonly pushUsage: PushUsage;
  readonly onDecided: OnDecided;
  readonly onBanned: OnBanned;
}

/** Checks ban, minute and day quota in one atomic operation; the only step that charges a key. */
export function createAdmit({ store, pushUsage, onDecided, onBanned }: AdmitSettings): Step {
  return function admit(exchange): Awaitable<StepResult> {
    const { credential, match } = exchange;
    if (exchange.public) return undefined;
    if (credential === null) throw new Error('admit comes after authenticate');
    const cost = match.kind === 'operation' ? match.route.operation.cost : 1;
    const decision = store.admit({
      quotaId: credential.quotaId,
      cost,
      limits: credential.limits,
      mode: credential.mode,
      onStoreFailure: credential.onStoreFailure,
    });
    return decision instanceof Promise
      ? decision.then((later) => conclude(exchange, credential, cost, later), refuseUnavailable)
      : conclude(exchange, credential, cost, decision);
  };

  function conclude(exchange: Exchange, credential: Credential, cost: number, decision: Decision): StepResult {
    exchange.decision = decision;
    pushUsage(exchange, decision);
    onDecided(credential, cost, decision);
    if (decision.admitted || decision.outcome === 'admitted') return undefined;
    if (decision.outcome === 'banned') onBanned(exchange, decision);
    const code = CODES[decision.outcome];
    if (decision.retryAt === 0) return { code };
    return { code, headers: ['Retry-After', retryAfterSeconds(decision.retryAt - decision.now)] };
  }
}
