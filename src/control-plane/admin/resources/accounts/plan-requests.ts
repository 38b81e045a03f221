import type { PlanRequest, PlanRequestStatus } from '../../../accounts/plan-requests.ts';
import type { Account } from '../../../accounts/account.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { toDateTime } from '../../../../base/time.ts';
import { RegistryError } from '../../../../base/error-types.ts';
import { Refused } from '../../../api/http/refused.ts';
import type { AdminOperations, Call, PageQuery, Reply } from '../../operation.ts';

interface ListQuery extends PageQuery {
  readonly status?: PlanRequestStatus;
  readonly account?: string;
}

export function planRequestOperations(accounts: Accounts): AdminOperations {
  const { planRequests } = accounts;

  /** Requests of accounts that are being deleted are left out. */
  async function withAccounts(requests: readonly PlanRequest[]): Promise<ReturnType<typeof requestJson>[]> {
    const byId = await accounts.getAll(requests.map(({ accountId }) => accountId));
    return requests.flatMap((request) => {
      const account = byId.get(request.accountId);
      return account === undefined ? [] : [requestJson(request, account)];
    });
  }

  async function decided(request: PlanRequest): Promise<Reply> {
    const [body] = await withAccounts([request]);
    if (body === undefined) throw new Refused('plan_request_not_found');
    return { status: 200, body };
  }

  return {
    async listPlanRequests({ query: { limit, cursor, status, account } }: Call<undefined, ListQuery>) {
      const { items, nextCursor } = await planRequests.list({ status, accountId: account }, { limit, cursor });
      return { status: 200, body: { items: await withAccounts(items), nextCursor } };
    },

    async approvePlanRequest({ path: { id = '' }, change }: Call) {
      return decided(await grantable(planRequests.approve(id, change)));
    },

    async declinePlanRequest({ path: { id = '' }, change }: Call) {
      return decided(await planRequests.decline(id, change));
    },
  };
}

/** The plan may have been deleted, or made custom, since it was asked for. */
async function grantable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isGone =
      error instanceof RegistryError && (error.code === 'plan_not_found' || error.code === 'limits_mismatch');
    if (!isGone) throw error;
    throw new Refused('conflict', { message: 'The plan cannot be given to an account any more: decline the request.' });
  }
}

export function requestJson(request: PlanRequest, { id, owner, name, plan }: Account) {
  const { accountId: _, createdAt, decidedAt, ...same } = request;
  const times = { createdAt: toDateTime(createdAt), decidedAt: decidedAt === null ? null : toDateTime(decidedAt) };
  return { ...same, account: { id, owner, name, plan }, ...times };
}
