import type { Limits, Mode, OnStoreFailure } from '../../../base/limits.ts';

/** The terms that keys are issued under. */
export interface Plan {
  /** 1 to 64 of `a-z0-9-_`, starting with a letter. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Null exactly if `custom`: each key then carries its own agreed limits. */
  readonly limits: Limits | null;
  readonly custom: boolean;
  readonly mode: Mode;
  readonly onStoreFailure: OnStoreFailure;
}

const PLAN_FIELDS: Readonly<Record<keyof Plan, true>> = {
  id: true,
  name: true,
  description: true,
  limits: true,
  custom: true,
  mode: true,
  onStoreFailure: true,
};

/**
 * All fields of a plan. What compares plans uses this list: a change in a field that it does not know would be dropped
 * as no change at all.
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
