import { createPlanNotFoundError, type StoredPlan } from '../../../domain/plan.ts';
import type { Registry } from '../../registry/registry.ts';
import { PREFIX } from './admin-document.ts';
import { formatEtag, changeIfMatching } from '../../api-server/read-request.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { CheckRestrictions } from './restrictions.ts';
import { paginate } from '../../api-server/send-response.ts';
import { invalidField } from '../../api-server/refused.ts';

export function createPlanOperations(
  registry: Registry,
  checkRestrictions: CheckRestrictions,
): Pick<AdminOperations, 'listPlans' | 'createPlan' | 'getPlan' | 'putPlan' | 'deletePlan'> {
  const readRevision = (id: string) => async () => (await registry.getPlan(id))?.revision ?? 0;

  return {
    async listPlans({ query }) {
      const { items, nextCursor } = paginate('plans', await registry.listPlans(), ({ id }) => id, query);
      const counts = query.include === undefined ? null : await registry.countKeysByPlan();
      const noKeys = { keys: 0, activeKeys: 0 };
      const planItems = items.map((plan) => ({ ...toPlanJson(plan), ...(counts && (counts.get(plan.id) ?? noKeys)) }));
      return { status: 200, body: { items: planItems, nextCursor } };
    },

    async createPlan({ body, change }) {
      checkRestrictions(body);
      return toPlanResponse(201, await registry.putPlan(body, change, 0));
    },

    async getPlan({ path: { id } }) {
      const plan = await registry.getPlan(id);
      if (plan === null) throw createPlanNotFoundError(id);
      return toPlanResponse(200, plan);
    },

    async putPlan({ path: { id }, body, change, ifMatch }) {
      if (body.id !== undefined && body.id !== id) throw invalidField('/id', 'must be the id in the path, or omitted');
      checkRestrictions(body);
      const existed = (await readRevision(id)()) > 0;
      const plan = { ...body, id };
      const stored = await changeIfMatching(ifMatch, readRevision(id), (expected) =>
        registry.putPlan(plan, change, expected),
      );
      return toPlanResponse(existed ? 200 : 201, stored);
    },

    async deletePlan({ path: { id }, change, ifMatch }) {
      await changeIfMatching(ifMatch, readRevision(id), (expected) => registry.deletePlan(id, change, expected));
      return { status: 204 };
    },
  };
}

function toPlanJson({ revision: _, ...plan }: StoredPlan): Schemas['Plan'] {
  return plan;
}

function toPlanResponse<Status extends 200 | 201>(status: Status, plan: StoredPlan) {
  const location = status === 201 ? { Location: `${PREFIX}/plans/${plan.id}` } : {};
  return { status, body: toPlanJson(plan), headers: { ETag: formatEtag(plan.revision), ...location } };
}
