import type { Limits, Mode } from '../admission/decide.ts';
import { StoreUnavailable } from '../base/store-unavailable.ts';
import type { KeyStatus, KeyWithPlan, OnStoreFailure, Registry } from './registry.ts';

/** Everything the request path needs to know of a key, resolved once. Immutable; times are ms since the Unix epoch. */
export interface Credential {
  readonly keyId: string;
  /** Whose counters, strikes and bans: shared by all keys of one rotation chain. */
  readonly quotaId: string;
  readonly owner: string;
  /** The id of the plan. */
  readonly plan: string;
  /** Those in force: the plan's, or the key's own where the plan is custom. */
  readonly limits: Limits;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
  readonly status: KeyStatus;
  readonly expiresAt: number | null;
}

/** A revoked key may outlive its plan. Nothing is admitted with it; the least limits say so to whoever asks. */
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

/** Null for a hash that no key has. */
export async function resolveCredential(registry: Registry, hash: string): Promise<Credential | null> {
  const found = await registry.findKeyByHash(hash);
  return found === null ? null : credentialOf(found);
}
