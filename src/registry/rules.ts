import type { Limits } from '../admission/decide.ts';
import { RegistryError } from './registry.ts';
import type { Key, KeyPatch, NewKey, Plan } from './registry.ts';

/** Rules for keys and plans in any store: every adapter applies them inside its transaction. */

/** @throws RegistryError `limits_mismatch` unless limits are valid, and given exactly if the plan is not custom */
export function checkPlan(plan: Plan): void {
  if (plan.custom && plan.limits !== null) {
    mismatch(`plan ${plan.id} is custom: leave out its limits, each of its keys carries its own`);
  }
  if (plan.limits === null) {
    if (!plan.custom) mismatch(`plan ${plan.id} needs limits: give minute and day, or make it custom`);
    return;
  }
  checkValid(plan.limits);
}

/** @throws RegistryError `limits_mismatch` unless a key's limits are valid, and given exactly if its plan is custom */
export function checkLimits(plan: Plan, limits: Limits | null): void {
  if (!plan.custom && limits !== null) {
    mismatch(`plan ${plan.id} sets the limits of its keys: leave out the key's own, or choose a custom plan`);
  }
  if (limits === null) {
    if (plan.custom) mismatch(`plan ${plan.id} is custom: give the key's own limits, minute and day`);
    return;
  }
  checkValid(limits);
}

function checkValid({ minute, day }: Limits): void {
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
 * The key with the patch applied. A key that moves to a plan with limits loses its own.
 *
 * @param plan the key's plan after the patch; null if it does not exist (a revoked key may outlive its plan)
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
  return { ...key, ...patch, limits: patchedLimits(key, patch, plan) };
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

/** @throws RegistryError `conflict` if a revision is expected and the actual one differs */
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

export function planInUse(id: string, goal: string): RegistryError {
  return new RegistryError('plan_in_use', `plan ${id} has keys that are not revoked: move or revoke them to ${goal}`);
}
