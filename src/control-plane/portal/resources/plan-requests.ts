import { toDateTime } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { PlanRequest } from '../../accounts/plan-requests.ts';
import { invalidField } from '../../api-server/refused.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireAccount } from '../access/caller.ts';
import { findRequestablePlans } from './plans.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

export interface PlanRequestDependencies {
  readonly accounts: Accounts;
  readonly registry: Registry;
  /** `portal.requestablePlans`. */
  readonly requestablePlans: readonly string[];
}

export function createPlanRequestOperations({
  accounts,
  registry,
  requestablePlans,
}: PlanRequestDependencies): Pick<
  PortalOperations,
  'listOwnPlanRequests' | 'createOwnPlanRequest' | 'withdrawOwnPlanRequest'
> {
  return {
    async listOwnPlanRequests({ query, caller }) {
      const { items, nextCursor } = await accounts.planRequests.list({ accountId: requireAccount(caller).id }, query);
      return { status: 200, body: { items: items.map(toRequestJson), nextCursor } };
    },

    async createOwnPlanRequest({ body, caller, change }) {
      const { id, plan } = requireAccount(caller);
      const requestablePlanIds = (await findRequestablePlans(registry, requestablePlans, plan)).map((one) => one.id);
      if (!requestablePlanIds.includes(body.plan))
        throw invalidField('/plan', `must be one of ${requestablePlanIds.join(', ') || 'none at the moment'}`);
      return { status: 201, body: toRequestJson(await accounts.planRequests.create(id, body, change)) };
    },

    async withdrawOwnPlanRequest({ path: { id }, caller, change }) {
      await accounts.planRequests.withdraw(requireAccount(caller).id, id, change);
      return { status: 204 };
    },
  };
}

function toRequestJson(request: PlanRequest): Schemas['PlanRequest'] {
  const { id, plan, message, status, reason, createdAt, decidedAt } = request;
  return { id, plan, message, status, reason, createdAt: toDateTime(createdAt), decidedAt: toDateTime(decidedAt) };
}
