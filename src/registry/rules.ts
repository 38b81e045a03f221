import type { Limits } from '../admission/decide.ts';
import { RegistryError } from './registry.ts';
import type { Key, KeyPatch, NewKey, Plan, Successor } from './registry.ts';

/** What holds for keys and plans wherever they are kept: every adapter applies these rules inside its transaction. */

/** @throws RegistryError `limits_mismatch` unless limits are sound, and given exactly where the plan is not custom */
export function checkPlan(plan: Plan): void {
  if (plan.custom && plan.limits !== null) {
    mismatch(`plan ${plan.id} is custom: leave out its limits, each of its keys carries its own`);
  }
  if (plan.limits === null) {
    if (!plan.custom) mismatch(`plan ${plan.id} needs limits: give minute and day, or make it custom`);
    return;
  }
  checkSound(plan.limits);
}

/** @throws RegistryError `limits_mismatch` unless a key's limits are sound, and given exactly where its plan is custom */
export function checkLimits(plan: Plan, limits: Limits | null): void {
  if (!plan.custom && limits !== null) {
    mismatch(`plan ${plan.id} sets the limits of its keys: leave out the key's own, or choose a custom plan`);
  }
  if (limits === null) {
    if (plan.custom) mismatch(`plan ${plan.id} is custom: give the key's own limits, minute and day`);
    return;
  }
  checkSound(limits);
}

function checkSound({ minute, day }: Limits): void {
  if (!isCount(minute) || !isCount(day)) {
    mismatch(`limits must be whole numbers from 1 to ${Number.MAX_SAFE_INTEGER}: got ${minute} a minute, ${day} a day`);
  }
  if (minute > day) mismatch(`the minute limit (${minute}) must not be above the day limit (${day})`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function mismatch(message: string): never {
  throw new RegistryError('limits_mismatch', message);
}

/** @throws RegistryError `plan_not_found`, `limits_mismatch` */
export function checkNewKey(key: NewKey, plan: Plan | null): void {
  if (plan === null) throw planNotFound(key.plan);
  checkLimits(plan, key.limits);
}

/**
 * The key as patched. A key that moves to a plan with limits of its own loses the ones it carried.
 *
 * @param plan the one the key has after the patch; null if there is none (a revoked key may outlive its plan)
 * @throws RegistryError `conflict`, `plan_not_found`, `limits_mismatch`
 */
export function patched(key: Key, patch: KeyPatch, plan: Plan | null): Key {
  const status = patch.status ?? key.status;
  if (key.status === 'revoked' && status !== 'revoked') {
    throw new RegistryError('conflict', `key ${key.id} is revoked, for good: create a new key`);
  }
  const expiresAt = patch.expiresAt === undefined ? key.expiresAt : patch.expiresAt;
  if (key.rotatedTo !== null && expiresAt === null) {
    throw new RegistryError('conflict', `key ${key.id} was replaced by ${key.rotatedTo}: it must expire`);
  }
  return {
    ...key,
    name: patch.name ?? key.name,
    metadata: patch.metadata ?? key.metadata,
    plan: patch.plan ?? key.plan,
    limits: patchedLimits(key, patch, plan),
    status,
    expiresAt,
  };
}

export interface ChainPatch {
  /** As in `patched`. */
  readonly plan: Plan | null;
  /** Changes the keys that replaced this one, too. */
  readonly wholeChain: boolean;
}

/**
 * What a patch of one key makes of its rotation chain: the key itself, and those that share its new terms or status.
 *
 * @param chain oldest first
 * @throws RegistryError as `patched`; `conflict` if plan or limits of a key change that was replaced
 */
export function patchedChain(
  chain: readonly Key[],
  key: Key,
  patch: KeyPatch,
  { plan, wholeChain }: ChainPatch,
): { before: Key; after: Key }[] {
  const after = patched(key, patch, plan);
  const newest = chain.at(-1);
  const hasTerms = patch.plan !== undefined || patch.limits !== undefined;
  if (hasTerms && !wholeChain && newest !== undefined && newest.id !== key.id && !sameTerms(key, after)) {
    throw new RegistryError(
      'conflict',
      `key ${key.id} was replaced, and plan and limits belong to its chain: change ${newest.id}, the newest key, or ` +
        'the whole chain (chain=true)',
    );
  }
  // Enabling one key must not bring back another, which may have leaked.
  const hasStatus = patch.status !== undefined && (wholeChain || patch.status !== 'active');
  const shared = {
    ...(hasTerms ? { plan: after.plan, limits: after.limits } : {}),
    ...(hasStatus ? { status: after.status } : {}),
  };
  const reached = wholeChain ? chain : chain.slice(0, chain.indexOf(key));
  return [
    { before: key, after },
    ...reached
      .filter(({ id, status }) => id !== key.id && status !== 'revoked')
      .map((before) => ({ before, after: { ...before, ...shared } })),
  ];
}

function sameTerms(one: Key, other: Key): boolean {
  const [a, b] = [one.limits, other.limits];
  return one.plan === other.plan && a?.minute === b?.minute && a?.day === b?.day;
}

function patchedLimits(key: Key, patch: KeyPatch, plan: Plan | null): Limits | null {
  const moves = patch.plan !== undefined && patch.plan !== key.plan;
  if (!moves && patch.limits === undefined) return key.limits;
  if (plan === null) throw planNotFound(patch.plan ?? key.plan);
  const dropped = moves && !plan.custom ? null : key.limits;
  const limits = patch.limits === undefined ? dropped : patch.limits;
  checkLimits(plan, limits);
  return limits;
}

/**
 * A rotation as the two records it leaves. What the successor inherits is taken from the key as it is in the registry,
 * so that a change made since the caller read it is not undone.
 *
 * @throws RegistryError `conflict` if the key was rotated already or is not active
 */
export function rotated(key: Key, successor: Successor, oldExpiresAt: number): { old: Key; successor: NewKey } {
  if (key.rotatedTo !== null) {
    throw new RegistryError('conflict', `key ${key.id} was rotated already: rotate its successor ${key.rotatedTo}`);
  }
  if (key.status !== 'active') {
    throw new RegistryError('conflict', `key ${key.id} is ${key.status}: only an active key can be rotated`);
  }
  const { id, hash, prefix, lastFour, createdAt } = successor;
  const { name, owner, plan, limits, status, metadata, expiresAt, quotaId } = key;
  return {
    old: { ...key, rotatedTo: id, expiresAt: expiresAt === null ? oldExpiresAt : Math.min(expiresAt, oldExpiresAt) },
    successor: {
      id,
      hash,
      prefix,
      lastFour,
      createdAt,
      name,
      owner,
      plan,
      limits,
      status,
      metadata,
      expiresAt,
      quotaId,
    },
  };
}

/** @throws RegistryError `conflict` if a revision is expected and it is another */
export function checkRevision(what: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  const found = actual === 0 ? 'does not exist' : `is at revision ${actual}`;
  throw new RegistryError('conflict', `${what} ${found}, not at ${expected}: read it again, then repeat the change`);
}

export function planNotFound(id: string): RegistryError {
  return new RegistryError('plan_not_found', `there is no plan ${id}`);
}

export function keyNotFound(id: string): RegistryError {
  return new RegistryError('key_not_found', `there is no key ${id}`);
}

export function planInUse(id: string, wish: string): RegistryError {
  return new RegistryError('plan_in_use', `plan ${id} has keys that are not revoked: move or revoke them to ${wish}`);
}
