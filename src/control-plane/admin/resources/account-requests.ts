import { toDateTime } from '../../../base/time.ts';
import type { AccountRequest } from '../../accounts/account-requests.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { Refused } from '../../api-server/refused.ts';
import { accountJson, NO_PORTAL } from './accounts.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { grantable } from './plan-requests.ts';
import { linkUrl } from './sessions.ts';

/** @param portalUrl URL of the portal; null if there is none */
export function accountRequestOperations(
  { accountRequests }: Accounts,
  portalUrl: () => string | null,
): Pick<AdminOperations, 'listAccountRequests' | 'approveAccountRequest' | 'declineAccountRequest'> {
  async function withKnown(requests: readonly AccountRequest[]): Promise<Schemas['AccountRequest'][]> {
    const known = await accountRequests.findAccountIds(requests.map(({ email }) => email));
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
