import type { Limits, Mode } from '../../base/limits.ts';
import type { Clock } from '../admission/store.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import type { KeyStatus, KeyWithPlan } from '../../control-plane/registry/keys/key.ts';
import type { OnStoreFailure } from '../admission/store.ts';
import type { Registry } from '../../control-plane/registry/registry.ts';

/** All that the request path needs to know about a key, resolved once. Immutable; times are ms since the Unix epoch. */
export interface Credential {
  readonly keyId: string;
  /** Identifies the counters, strikes and bans, which all keys of a rotation chain, or of an account, share. */
  readonly quotaId: string;
  readonly owner: string;
  /** The id of the plan. */
  readonly plan: string;
  /** The limits in force: the plan's, or the key's own if the plan is custom. */
  readonly limits: Limits;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
  readonly status: KeyStatus;
  readonly expiresAt: number | null;
}

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

/** Why a credential does not let its caller in; null if it does. */
export function credentialFault({ status, expiresAt }: Credential, clock: Clock): 'key_revoked' | 'key_expired' | null {
  if (status !== 'active') return 'key_revoked';
  return expiresAt !== null && expiresAt <= clock() ? 'key_expired' : null;
}

/** Null if no key has this hash. */
export async function resolveCredential(registry: Registry, hash: string): Promise<Credential | null> {
  const found = await registry.findKeyByHash(hash);
  return found === null ? null : credentialOf(found);
}
