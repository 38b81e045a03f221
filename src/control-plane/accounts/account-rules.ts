import { textFault } from '../../base/text-faults.ts';
import { withoutKeys } from '../../http/redact-keys.ts';
import { RegistryError } from '../../base/records/registry-error.ts';
import { type Plan, planNotFound } from '../registry/plans/plan.ts';
import type { Account } from './account.ts';

const EMAIL = /^[!-?A-~]{1,64}@[!-?A-~]{1,189}$/;
const MAX_NAME_LENGTH = 128;

/**
 * An address as it is stored and compared: in lower case; null if it is none that an account may have. ASCII only:
 * Unicode has other letters that become ASCII in lower case, and would make one person's address another's.
 */
export function normalEmail(text: string): string | null {
  return EMAIL.test(text) ? text.toLowerCase() : null;
}

/** A name as somebody else's system gave it, made fit for an account; empty if nothing is left, or if it may not be set. */
export function cleanName(text: string): string {
  if (textFault(text) !== null) return '';
  const characters = Array.from(
    withoutKeys(text)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
}

/** @throws RegistryError `plan_not_found`, or `limits_mismatch` for a custom plan, whose keys carry their own limits */
export function checkAccountPlan(id: string, plan: Plan | null): void {
  if (plan === null) throw planNotFound(id);
  if (!plan.custom) return;
  throw new RegistryError('limits_mismatch', `plan ${id} is custom: an account needs a plan with limits`);
}

/** @throws RegistryError `conflict` */
export function checkActive({ id, status }: Account): void {
  if (status !== 'active') throw new RegistryError('conflict', `account ${id} is ${status}: enable it first`);
}

export function accountNotFound(id: string): RegistryError {
  return new RegistryError('account_not_found', `there is no account ${id}`);
}
