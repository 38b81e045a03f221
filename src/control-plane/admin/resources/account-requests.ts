import { toDateTime } from '../../../base/time.ts';
import type { AccountRequest } from '../../accounts/account-requests.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refused } from '../../api-server/refused.ts';
import { toAccountJson, NO_PORTAL_MESSAGE } from './accounts.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { withGonePlanRefused } from './plan-requests.ts';
import { formatLinkUrl } from './sessions.ts';
import type { CheckOwner } from './token-callers.ts';

/** @param portalUrl URL of the portal; null if there is none */
export function createAccountRequestOperations(
  { accountRequests }: Accounts,
  checkOwner: CheckOwner,
  portalUrl: () => string | null,
): Pick<AdminOperations, 'listAccountRequests' | 'approveAccountRequest' | 'declineAccountRequest'> {
  async function toJsonWithKnownAccounts(requests: readonly AccountRequest[]): Promise<Schemas['AccountRequest'][]> {
    const knownIds = await accountRequests.findAccountIds(requests.map(({ email }) => email));
    return requests.map((request) => toAccountRequestJson(request, knownIds.get(request.email) ?? null));
  }

  return {
    async listAccountRequests({ query: { status, ...page } }) {
      const { items, nextCursor } = await accountRequests.list(status, page);
      return { status: 200, body: { items: await toJsonWithKnownAccounts(items), nextCursor } };
    },

    async approveAccountRequest({ path: { id }, body: { owner = null, plan, seconds }, change }) {
      const portal = portalUrl();
      if (portal === null) throw new Refused('route_not_found', { message: NO_PORTAL_MESSAGE });
      if (owner !== null) checkOwner(owner);
      const approval = accountRequests.approve(id, { owner, plan }, seconds * 1000, change);
      const { request, account, link } = await (plan === undefined ? withGonePlanRefused(approval) : approval);
      const url = formatLinkUrl(portal, link.token);
      const json = { request: toAccountRequestJson(request, account.id), account: toAccountJson(account) };
      return { status: 200, body: { ...json, url, expiresAt: toDateTime(link.expiresAt) } };
    },

    async declineAccountRequest({ path: { id }, change }) {
      const [body] = await toJsonWithKnownAccounts([await accountRequests.decline(id, change)]);
      if (body === undefined) throw new Refused('account_request_not_found');
      return { status: 200, body };
    },
  };
}

function toAccountRequestJson(request: AccountRequest, knownAccountId: string | null): Schemas['AccountRequest'] {
  const { createdAt, decidedAt, ...same } = request;
  return { ...same, knownAccountId, createdAt: toDateTime(createdAt), decidedAt: toDateTime(decidedAt) };
}
