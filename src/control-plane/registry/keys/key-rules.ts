import type { Limits } from '../../../base/limits.ts';
import type { Plan } from '../plans/plan.ts';
import { checkLimits, planNotFound } from '../plans/plan-rules.ts';
import { RegistryError } from '../../../base/error-types.ts';
import type { Key, KeyPatch, NewKey } from './key.ts';

/** Rules for keys in any store: every adapter applies them inside its transaction. */

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

export function keyNotFound(id: string): RegistryError {
  return new RegistryError('key_not_found', `there is no key ${id}`);
}
