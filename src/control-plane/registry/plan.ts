import { RegistryError } from '../../base/error-types.ts';
import { type Limits, type Mode, type OnStoreFailure, windowsOf } from '../../domain/quota-limits.ts';

/** The terms that keys are issued under. */
export interface Plan {
  /** 1 to 64 of `a-z0-9-_`, starting with a letter. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The price for display in the portal, such as "$49 a month"; empty if none is shown. */
  readonly priceText: string;
  /** Null exactly if `custom`: each key then carries its own agreed limits. */
  readonly limits: Limits | null;
  readonly custom: boolean;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
  /** Selectors of the operations that its keys may call (`openapi/operation-selectors.ts`); null: all. */
  readonly operations: readonly string[] | null;
}

const PLAN_FIELDS: Readonly<Record<keyof Plan, true>> = {
  id: true,
  name: true,
  description: true,
  priceText: true,
  limits: true,
  custom: true,
  mode: true,
  onStoreFailure: true,
  operations: true,
};

/**
 * All fields of a plan. Code that compares plans uses this list: a change to a field that is not in it would be
 * ignored.
 */
export const planFields = Object.keys(PLAN_FIELDS) as readonly (keyof Plan)[];

/** A plan as stored. */
export interface StoredPlan extends Plan {
  /**
   * The number of the change that produced this version, a positive integer: what `If-Match` compares. It rises with
   * every change and is never reused, not even if a plan is deleted and created again.
   */
  readonly revision: number;
}

/** @throws RegistryError `limits_mismatch` unless limits are valid, and given exactly if the plan is not custom */
export function checkPlan(plan: Plan): void {
  if (plan.custom && plan.limits !== null) {
    mismatch(`plan ${plan.id} is custom: remove its limits, because each of its keys has its own`);
  }
  if (plan.limits === null) {
    if (!plan.custom) mismatch(`plan ${plan.id} needs limits: set minute and day, or make it custom`);
    return;
  }
  checkValid(plan.limits);
}

/** @throws RegistryError `limits_mismatch` unless a key's limits are valid, and given exactly if its plan is custom */
export function checkLimits(plan: Plan, limits: Limits | null): void {
  if (!plan.custom && limits !== null) {
    mismatch(`plan ${plan.id} has its own limits: remove those of the key, or choose a custom plan`);
  }
  if (limits === null) {
    if (plan.custom) mismatch(`plan ${plan.id} is custom: set limits for the key (minute and day)`);
    return;
  }
  checkValid(limits);
}

function checkValid(limits: Limits): void {
  let shorter: { name: string; view: number } | undefined;
  for (const { name, view: limit } of windowsOf<number>(limits)) {
    if (!isCount(limit)) {
      mismatch(`limits must be whole numbers from 1 to ${Number.MAX_SAFE_INTEGER}: got ${limit} per ${name}`);
    }
    if (shorter !== undefined && shorter.view > limit) {
      mismatch(`the ${shorter.name} limit (${shorter.view}) must not be greater than the ${name} limit (${limit})`);
    }
    shorter = { name, view: limit };
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function mismatch(message: string): never {
  throw new RegistryError('limits_mismatch', message);
}

export function planNotFound(id: string): RegistryError {
  return new RegistryError('plan_not_found', `there is no plan ${id}`);
}

export function planInUse(id: string, goal: string): RegistryError {
  const message = `plan ${id} is used by accounts or by keys that are not revoked: move the accounts and keys to another plan, or revoke the keys, before you ${goal}`;
  return new RegistryError('plan_in_use', message);
}
