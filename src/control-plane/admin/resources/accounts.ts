import { RegistryError } from '../../../domain/registry-error.ts';
import { toDateTime } from '../../../base/time.ts';
import { type Account, accountNotFound } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { AccountRequest } from '../../accounts/account-requests.ts';
import type { PlanRequest } from '../../accounts/plan-requests.ts';
import { PREFIX } from './admin-document.ts';
import { withPlanAsField } from './keys.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import { linkUrl } from './sessions.ts';
import { orderOf } from './sort-order.ts';
import { etag, ifMatching } from '../../api-server/read-request.ts';
import { invalid, Refused } from '../../api-server/refused.ts';

const NO_PORTAL = 'This gateway has no portal. Set portal.enabled to turn it on.';

/** @param portalUrl of the portal; null if there is none */
export function accountOperations(
  accounts: Accounts,
  refuseUnknown: RefuseUnknown,
  portalUrl: () => string | null,
): Pick<
  AdminOperations,
  'listAccounts' | 'createAccount' | 'getAccount' | 'updateAccount' | 'deleteAccount' | 'createAccountLink'
> {
  const revisionOf = (id: string) => async () => (await existingAccount(accounts, id)).revision;

  return {
    async listAccounts({ query: { limit, cursor, q: search, sort, ...filter } }) {
      const { items, nextCursor } = await accounts.list({ ...filter, search }, { limit, cursor }, orderOf(sort));
      if (items.length === 0) await refuseUnknown(filter);
      return { status: 200, body: { items: items.map(accountJson), nextCursor } };
    },

    async createAccount({ body, change }) {
      const account = await withOrdinaryPlan(body.plan, accounts.create(body, change));
      const { headers, ...reply } = found(account);
      return { ...reply, status: 201, headers: { ...headers, Location: `${PREFIX}/accounts/${account.id}` } };
    },

    async getAccount({ path: { id } }) {
      return found(await existingAccount(accounts, id));
    },

    async updateAccount({ path: { id }, body, change, ifMatch }) {
      const update = (revision?: number) =>
        withOrdinaryPlan(body.plan ?? '', accounts.update(id, body, change, { revision }));
      return found(await ifMatching(ifMatch, revisionOf(id), update));
    },

    async deleteAccount({ path: { id }, change, ifMatch }) {
      await ifMatching(ifMatch, revisionOf(id), (revision) => accounts.delete(id, change, { revision }));
      return { status: 204 };
    },

    async createAccountLink({ path: { id }, body, change }) {
      const url = portalUrl();
      if (url === null) throw new Refused('route_not_found', { message: NO_PORTAL });
      const link = await accounts.createLink(id, body.seconds * 1000, change);
      return { status: 201, body: { url: linkUrl(url, link.token), expiresAt: toDateTime(link.expiresAt) } };
    },
  };
}

/** @throws RegistryError `account_not_found` */
async function existingAccount(accounts: Accounts, id: string): Promise<Account> {
  const account = await accounts.get(id);
  if (account === null) throw accountNotFound(id);
  return account;
}

function found(account: Account) {
  return { status: 200 as const, body: accountJson(account), headers: { ETag: etag(account.revision) } };
}

function accountJson({ revision, createdAt, lastSignInAt, ...same }: Account): Schemas['Account'] {
  return { ...same, createdAt: toDateTime(createdAt), lastSignInAt: toDateTime(lastSignInAt) };
}

/** An account's keys share its plan's limits: a plan without limits of its own makes the body invalid. */
async function withOrdinaryPlan<T>(plan: string, work: Promise<T>): Promise<T> {
  try {
    return await withPlanAsField(plan, work);
  } catch (error) {
    const isCustom = error instanceof RegistryError && error.code === 'limits_mismatch';
    throw isCustom ? invalid('/plan', 'must not be a custom plan') : error;
  }
}

export function planRequestOperations(
  accounts: Accounts,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'listPlanRequests' | 'approvePlanRequest' | 'declinePlanRequest'> {
  const { planRequests } = accounts;

  /** Requests of accounts that are being deleted are left out. */
  async function withAccounts(requests: readonly PlanRequest[]): Promise<Schemas['PlanRequest'][]> {
    const byId = await accounts.getAll(requests.map(({ accountId }) => accountId));
    return requests.flatMap((request) => {
      const account = byId.get(request.accountId);
      return account === undefined ? [] : [requestJson(request, account)];
    });
  }

  async function decided(request: PlanRequest) {
    const [body] = await withAccounts([request]);
    if (body === undefined) throw new Refused('plan_request_not_found');
    return { status: 200 as const, body };
  }

  return {
    async listPlanRequests({ query: { limit, cursor, status, account } }) {
      const { items, nextCursor } = await planRequests.list({ status, accountId: account }, { limit, cursor });
      if (items.length === 0) await refuseUnknown({ account });
      return { status: 200, body: { items: await withAccounts(items), nextCursor } };
    },

    async approvePlanRequest({ path: { id }, change }) {
      return decided(await grantable(planRequests.approve(id, change)));
    },

    async declinePlanRequest({ path: { id }, change }) {
      return decided(await planRequests.decline(id, change));
    },
  };
}

/** The plan may have been deleted, or made custom, since the request. */
async function grantable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isGone =
      error instanceof RegistryError && (error.code === 'plan_not_found' || error.code === 'limits_mismatch');
    if (!isGone) throw error;
    throw new Refused('conflict', { message: 'The plan can no longer be given to an account. Decline the request.' });
  }
}

function requestJson(request: PlanRequest, { id, owner, name, plan }: Account): Schemas['PlanRequest'] {
  const { accountId: _, createdAt, decidedAt, ...same } = request;
  const times = { createdAt: toDateTime(createdAt), decidedAt: toDateTime(decidedAt) };
  return { ...same, account: { id, owner, name, plan }, ...times };
}

export function accountRequestOperations(
  { accountRequests }: Accounts,
  portalUrl: () => string | null,
): Pick<AdminOperations, 'listAccountRequests' | 'approveAccountRequest' | 'declineAccountRequest'> {
  async function withKnown(requests: readonly AccountRequest[]): Promise<Schemas['AccountRequest'][]> {
    const known = await accountRequests.accountsWith(requests.map(({ email }) => email));
    return requests.map((request) => accountRequestJson(request, known.get(request.email) ?? null));
  }

  return {
    async listAccountRequests({ query: { status, ...page } }) {
      const { items, nextCursor } = await accountRequests.list(status, page);
      return { status: 200, body: { items: await withKnown(items), nextCursor } };
    },

    async approveAccountRequest({ path: { id }, body: { owner = null, plan, seconds }, change }) {
      const portal = portalUrl();
      if (portal === null) throw new Refused('route_not_found', { message: NO_PORTAL });
      const approval = accountRequests.approve(id, { owner, plan }, seconds * 1000, change);
      const { request, account, link } = await (plan === undefined ? grantable(approval) : approval);
      const url = linkUrl(portal, link.token);
      const json = { request: accountRequestJson(request, account.id), account: accountJson(account) };
      return { status: 200, body: { ...json, url, expiresAt: toDateTime(link.expiresAt) } };
    },

    async declineAccountRequest({ path: { id }, change }) {
      const [body] = await withKnown([await accountRequests.decline(id, change)]);
      if (body === undefined) throw new Refused('account_request_not_found');
      return { status: 200, body };
    },
  };
}

function accountRequestJson(request: AccountRequest, knownAccountId: string | null): Schemas['AccountRequest'] {
  const { createdAt, decidedAt, ...same } = request;
  return { ...same, knownAccountId, createdAt: toDateTime(createdAt), decidedAt: toDateTime(decidedAt) };
}

export interface AccountOperationDependencies {
  readonly accounts: Accounts;
  /** URL of the portal; null if there is none. */
  readonly portalUrl: () => string | null;
}

export function allAccountOperations(
  { accounts, portalUrl }: AccountOperationDependencies,
  refuseUnknown: RefuseUnknown,
) {
  return {
    ...accountOperations(accounts, refuseUnknown, portalUrl),
    ...planRequestOperations(accounts, refuseUnknown),
    ...accountRequestOperations(accounts, portalUrl),
  };
}
