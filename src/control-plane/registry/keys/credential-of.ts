import type { Credential } from '../../../base/credential.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type { KeyWithPlan } from './key.ts';

/** For a revoked key that has outlived its plan. It admits nothing; whoever inspects it sees the lowest limits. */
const WITHOUT_PLAN = { limits: { minute: 1, day: 1 }, mode: 'enforce', onStoreFailure: 'closed' } as const;

/** @throws StoreUnavailable if the plan of a key that is not revoked is gone: the database has lost it */
export function credentialOf({ key, plan }: KeyWithPlan): Credential {
  const limits = plan === null ? null : plan.custom ? key.limits : plan.limits;
  if (limits === null && key.status !== 'revoked') {
    throw new StoreUnavailable(`the database has lost plan ${key.plan}, or the limits of key ${key.id}`);
  }
  const terms = plan ?? WITHOUT_PLAN;
  return Object.freeze({
    keyId: key.id,
    quotaId: key.quotaId,
    owner: key.owner,
    plan: key.plan,
    limits: Object.freeze(limits ?? WITHOUT_PLAN.limits),
    mode: terms.mode,
    onStoreFailure: terms.onStoreFailure,
    status: key.status,
    expiresAt: key.expiresAt,
  });
}
