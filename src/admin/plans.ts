import type { Plan, Registry, StoredPlan } from '../registry/registry.ts';
import type { Call, Operations, PageQuery } from './operation.ts';
import { pageOfAll } from './paging.ts';

export function planOperations(registry: Registry): Operations {
  return {
    async listPlans({ query }: Call<undefined, PageQuery>) {
      const { items, nextCursor } = pageOfAll('plans', await registry.listPlans(), ({ id }) => id, query);
      return { status: 200, body: { items: items.map(planJson), nextCursor } };
    },
  };
}

function planJson({ id, name, description, limits, custom, mode, onStoreFailure }: StoredPlan): Plan {
  return { id, name, description, limits, custom, mode, onStoreFailure };
}
