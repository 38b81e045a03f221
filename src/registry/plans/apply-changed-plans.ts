import { isDeepStrictEqual } from 'node:util';
import { RegistryError } from '../../base/records/registry-error.ts';
import type { ChangeContext } from '../audit/audit-entry.ts';
import type { Registry } from '../registry.ts';
import { type Plan, planFields } from './plan.ts';

/** A plan that others change meanwhile is read again this many times. */
const ATTEMPTS = 3;

/**
 * Applies what has changed in the plans file since it was read: plans that are new in it, or that it describes
 * differently. What operators changed by other means is theirs: such a plan stays as it is, and so does one that the
 * file does not name any more. Gateways of a fleet may do this at the same time: one of them writes.
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
    const known = knownBefore.get(plan.id) ?? null;
    if (known !== null && isSame(known, plan)) continue;
    const stayed = await unlessOvertaken(() => applyPlan(registry, known, plan, change));
    if (stayed !== null) warnings.push(stayed);
  }
  return warnings;
}

async function unlessOvertaken<T>(apply: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await apply();
  } catch (error) {
    if (attempts <= 1 || !(error instanceof RegistryError) || error.code !== 'conflict') throw error;
    return unlessOvertaken(apply, attempts - 1);
  }
}

/**
 * @param known as the file had it; null: it did not
 * @returns why it stayed as it is; null if it is as the file has it
 */
async function applyPlan(
  registry: Registry,
  known: Plan | null,
  plan: Plan,
  change: ChangeContext,
): Promise<string | null> {
  const stored = await registry.getPlan(plan.id);
  if (stored !== null && isSame(stored, plan)) return null;
  if (stored === null ? known === null : known !== null && isSame(stored, known)) {
    await registry.putPlan(plan, change, stored?.revision ?? 0);
    return null;
  }
  const since = stored === null ? 'deleted' : 'changed';
  return (
    `plan ${plan.id} has changed in the file, but stays as it is, since an operator ${since} it: ` +
    '"tollgate plans apply" shows the difference'
  );
}

function isSame(one: Plan, other: Plan): boolean {
  return planFields.every((field) => isDeepStrictEqual(one[field], other[field]));
}
