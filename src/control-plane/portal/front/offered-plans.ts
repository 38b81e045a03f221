import type { Plan } from '../../../domain/plan.ts';
import type { Registry } from '../../registry/registry.ts';

interface Offer {
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
export function createOfferedPlans({ registry, plan, requestablePlans }: Offer): () => Promise<readonly Plan[]> {
  const ids = [...new Set([plan, ...requestablePlans])];
  return async function offeredPlans() {
    const known = await registry.plansById();
    return ids.flatMap((id) => {
      const found = known.get(id);
      return found === undefined || found.custom ? [] : [found];
    });
  };
}
