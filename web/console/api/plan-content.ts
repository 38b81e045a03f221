import type { Plan, PutPlan } from './plans.ts';

/**
 * Finds the plan to propose: the first wanted one that exists, or else the one with the lowest limit. It is never a
 * plan in shadow mode, because that would not enforce any limits.
 *
 * @param wanted ids of plans
 */
export function proposePlan(plans: readonly Plan[], wanted: readonly unknown[]): Plan | undefined {
  const enforced = plans.filter(({ mode }) => mode === 'enforce');
  const found = wanted.map((id) => enforced.find((plan) => plan.id === id)).find((plan) => plan !== undefined);
  return found ?? enforced.toSorted((a, b) => perMinute(a) - perMinute(b))[0];
}

/** Plans whose keys have their own limits get the highest number, so that they come last. */
function perMinute({ limits }: Plan): number {
  return limits?.minute ?? Number.MAX_SAFE_INTEGER;
}

/** Everything in a plan except its id. `PUT` has the id in the path. */
export function withoutId({ id: _, ...content }: Plan): PutPlan {
  return content;
}
