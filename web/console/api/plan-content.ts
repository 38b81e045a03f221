import type { Plan } from './lists.ts';
import type { PutPlan } from './plans.ts';

/** All that a plan holds apart from its id, as it is put back. */
export function contentOf({ id: _, ...content }: Plan): PutPlan {
  return content;
}
