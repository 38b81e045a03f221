import type { Plan } from '../../../domain/plan.ts';
import type { Registry } from '../../registry/registry.ts';

interface OfferedPlansOptions {
  readonly registry: Pick<Registry, 'plansById'>;
  /** `portal.plan`. */
  readonly plan: string;
  /** `portal.requestablePlans`. */
  readonly requestablePlans: readonly string[];
}

/**
 * Creates a function that loads the plans that everybody may see: `portal.plan`, then `portal.requestablePlans`. Deleted
 * plans are left out. Custom plans are left out too, because their limits differ for each key.
 */
export function createLoadOfferedPlans({
  registry,
  plan,
  requestablePlans,
}: OfferedPlansOptions): () => Promise<readonly Plan[]> {
  const ids = [...new Set([plan, ...requestablePlans])];
  return async function loadOfferedPlans() {
    const plansById = await registry.plansById();
    return ids.flatMap((id) => {
      const offeredPlan = plansById.get(id);
      return offeredPlan === undefined || offeredPlan.custom ? [] : [offeredPlan];
    });
  };
}
