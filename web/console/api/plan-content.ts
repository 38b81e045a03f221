import type { Plan } from './plans.ts';
import type { PutPlan } from './plans.ts';

/** Everything in a plan except its id, as `PUT` takes it. */
export function contentOf({ id: _, ...content }: Plan): PutPlan {
  return content;
}
