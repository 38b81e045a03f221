import { toDateTime } from '../../../base/time.ts';
import { RegistryError } from '../../../domain/registry-error.ts';
import type { Account } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { PlanRequest } from '../../accounts/plan-requests.ts';
import { Refused } from '../../api-server/refused.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';

export function createPlanRequestOperations(
  accounts: Accounts,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'listPlanRequests' | 'approvePlanRequest' | 'declinePlanRequest'> {
  const { planRequests } = accounts;

  /** Converts requests to JSON with their accounts. Requests of accounts that are being deleted are left out. */
  async function toJsonWithAccounts(requests: readonly PlanRequest[]): Promise<Schemas['PlanRequest'][]> {
    const accountsById = await accounts.getByIds(requests.map(({ accountId }) => accountId));
    return requests.flatMap((request) => {
      const account = accountsById.get(request.accountId);
      return account === undefined ? [] : [toRequestJson(request, account)];
    });
  }

  async function toDecisionResponse(request: PlanRequest) {
    const [body] = await toJsonWithAccounts([request]);
    if (body === undefined) throw new Refused('plan_request_not_found');
    return { status: 200 as const, body };
  }

  return {
    async listPlanRequests({ query: { limit, cursor, status, account } }) {
      const { items, nextCursor } = await planRequests.list({ status, accountId: account }, { limit, cursor });
      if (items.length === 0) await refuseUnknown({ account });
      return { status: 200, body: { items: await toJsonWithAccounts(items), nextCursor } };
    },

    async approvePlanRequest({ path: { id }, change }) {
      return toDecisionResponse(await withGonePlanRefused(planRequests.approve(id, change)));
    },

    async declinePlanRequest({ path: { id }, change }) {
      return toDecisionResponse(await planRequests.decline(id, change));
    },
  };
}

/** Explains the error if the plan was deleted, or made custom, after the request. @throws Refused `conflict` */
export async function withGonePlanRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isGone =
      error instanceof RegistryError && (error.code === 'plan_not_found' || error.code === 'limits_mismatch');
    if (!isGone) throw error;
    throw new Refused('conflict', { message: 'The plan can no longer be given to an account. Decline the request.' });
  }
}

function toRequestJson(request: PlanRequest, { id, owner, name, plan }: Account): Schemas['PlanRequest'] {
  const { accountId: _, createdAt, decidedAt, ...fields } = request;
  const times = { createdAt: toDateTime(createdAt), decidedAt: toDateTime(decidedAt) };
  return { ...fields, account: { id, owner, name, plan }, ...times };
}
