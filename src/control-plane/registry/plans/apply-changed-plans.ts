import { isDeepStrictEqual } from 'node:util';
import type { WriteContext } from '../write-context.ts';
import { type Plan, planFields } from './plan.ts';
import { putPlan } from './plan-changes.ts';
import { planById, PLANS_LOCK } from './plan-rows.ts';

/** The plans of a file, as they were read before and as they are now. */
export interface PlanFiles {
  readonly before: readonly Plan[];
  readonly read: readonly Plan[];
}

/** As `Registry.applyChangedPlans`. */
export async function applyChangedPlans(context: WriteContext, { before, read }: PlanFiles): Promise<string[]> {
  const warnings: string[] = [];
  const knownBefore = new Map(before.map((plan) => [plan.id, plan]));
  const changed = read.filter((plan) => !isSame(knownBefore.get(plan.id), plan));
  if (changed.length === 0) return warnings;
  await context.dialect.lock(context.tx, PLANS_LOCK);
  for (const plan of changed) {
    const known = knownBefore.get(plan.id);
    const stored = (await planById(context.tx, plan.id)) ?? undefined;
    if (isSame(stored, plan)) continue;
    if (isSame(stored, known)) await putPlan(context, plan, undefined);
    else warnings.push(stayed(plan, stored === undefined ? 'deleted' : 'changed'));
  }
  return warnings;
}

function stayed({ id }: Plan, since: 'deleted' | 'changed'): string {
  return (
    `plan ${id} has changed in the file, but stays as it is, since an operator ${since} it: ` +
    '"tollgate plans apply" shows the difference'
  );
}

/** Two that are not there are the same, too. */
function isSame(one: Plan | undefined, other: Plan | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return planFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
