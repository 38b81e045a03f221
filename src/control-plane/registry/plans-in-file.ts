import { isDeepStrictEqual } from 'node:util';
import { type Plan, planFields } from '../../domain/plan.ts';

/** The previous and the current plans of a file. */
export interface PlanFiles {
  readonly before: readonly Plan[];
  readonly read: readonly Plan[];
}

interface PlanInFile {
  readonly plan: Plan;
  /** `kept`: an operator changed or deleted the plan, so the file does not replace it. */
  readonly outcome: 'applied' | 'kept';
}

/** The plans that are new in the file, or that the file now defines differently. */
export function listChangedPlans({ before, read }: PlanFiles): Plan[] {
  const previousById = new Map(before.map((plan) => [plan.id, plan]));
  return read.filter((plan) => !isSamePlan(previousById.get(plan.id), plan));
}

/**
 * Decides about a plan that has changed in the file.
 *
 * @returns null if the database already has the plan as it is in the file
 */
export function decidePlan(plan: Plan, { before }: PlanFiles, stored: Plan | undefined): PlanInFile | null {
  if (isSamePlan(stored, plan)) return null;
  const previous = before.find(({ id }) => id === plan.id);
  return { plan, outcome: isSamePlan(stored, previous) ? 'applied' : 'kept' };
}

/** Two missing plans count as the same. */
function isSamePlan(one: Plan | undefined, other: Plan | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return planFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
