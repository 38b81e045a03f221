import type { Plan } from './plans.ts';
import type { PutPlan } from './plans.ts';

/** What is chosen until somebody chooses: by mistake, nobody gets more than they should. */
export function smallestPlan(plans: readonly Plan[]): Plan | undefined {
  return plans.toSorted((a, b) => perMinute(a) - perMinute(b))[0];
}

/** Plans whose keys have limits of their own come last. */
function perMinute({ limits }: Plan): number {
  return limits?.minute ?? Number.MAX_SAFE_INTEGER;
}

/** Everything in a plan except its id, as `PUT` takes it. */
export function contentOf({ id: _, ...content }: Plan): PutPlan {
  return content;
}
