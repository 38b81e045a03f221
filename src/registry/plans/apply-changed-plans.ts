import { isDeepStrictEqual } from 'node:util';
import type { ChangeContext } from '../audit/audit-entry.ts';
import type { Registry } from '../registry.ts';
import { type Plan, planFields } from './plan.ts';

/**
 * Applies what has changed in the plans file since it was read: plans that are new in it, or that it describes
 * differently. What operators changed by other means is theirs: such a plan stays as it is, and so does one that the
 * file does not name any more.
 *
 * @returns why plans stayed as they are, for people
 * @throws RegistryError if a plan cannot be as the file has it; StoreUnavailable. Plans before it are applied.
 */
export async function applyChangedPlans(
  registry: Registry,
  { before, read }: { readonly before: readonly Plan[]; readonly read: readonly Plan[] },
  change: ChangeContext,
): Promise<string[]> {
  const warnings: string[] = [];
  const knownBefore = new Map(before.map((plan) => [plan.id, plan]));
  for (const plan of read) {
    const known = knownBefore.get(plan.id);
    if (known !== undefined && isSame(known, plan)) continue;
    const stored = await registry.getPlan(plan.id);
    if (stored !== null && isSame(stored, plan)) continue;
    if (stored === null ? known === undefined : known !== undefined && isSame(stored, known)) {
      await registry.putPlan(plan, change, stored?.revision ?? 0);
    } else {
      const since = stored === null ? 'deleted' : 'changed';
      warnings.push(
        `plan ${plan.id} has changed in the file, but stays as it is, since an operator ${since} it: ` +
          '"tollgate plans apply" shows the difference',
      );
    }
  }
  return warnings;
}

function isSame(one: Plan, other: Plan): boolean {
  return planFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
