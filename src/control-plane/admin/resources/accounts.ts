import { RegistryError } from '../../../domain/registry-error.ts';
import { toDateTime } from '../../../base/time.ts';
import { type Account, accountNotFound } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { PREFIX } from './admin-document.ts';
import { withPlanAsField } from './keys.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import { formatLinkUrl } from './sessions.ts';
import { parseOrder } from './sort-order.ts';
import type { CheckOwner } from './token-callers.ts';
import { formatEtag, changeIfMatching } from '../../api-server/read-request.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';

export const NO_PORTAL_MESSAGE = 'This gateway has no portal. Set portal.enabled to turn it on.';

/** @param portalUrl URL of the portal; null if there is none */
export function createAccountOperations(
  accounts: Accounts,
  refuseUnknown: RefuseUnknown,
  checkOwner: CheckOwner,
  portalUrl: () => string | null,
): Pick<
  AdminOperations,
  'listAccounts' | 'createAccount' | 'getAccount' | 'updateAccount' | 'deleteAccount' | 'createAccountLink'
> {
  const readRevision = (id: string) => async () => (await requireAccount(accounts, id)).revision;

  return {
    async listAccounts({ query: { limit, cursor, q: search, sort, ...filter } }) {
      const { items, nextCursor } = await accounts.list({ ...filter, search }, { limit, cursor }, parseOrder(sort));
      if (items.length === 0) await refuseUnknown(filter);
      return { status: 200, body: { items: items.map(toAccountJson), nextCursor } };
    },

    async createAccount({ body, change }) {
      checkOwner(body.owner);
      const account = await withOrdinaryPlan(body.plan, accounts.create(body, change));
      const { headers, ...reply } = toAccountResponse(account);
      return { ...reply, status: 201, headers: { ...headers, Location: `${PREFIX}/accounts/${account.id}` } };
    },

    async getAccount({ path: { id } }) {
      return toAccountResponse(await requireAccount(accounts, id));
    },

    async updateAccount({ path: { id }, body, change, ifMatch }) {
      const update = (revision?: number) =>
        withOrdinaryPlan(body.plan ?? '', accounts.update(id, body, change, { revision }));
      return toAccountResponse(await changeIfMatching(ifMatch, readRevision(id), update));
    },

    async deleteAccount({ path: { id }, change, ifMatch }) {
      await changeIfMatching(ifMatch, readRevision(id), (revision) => accounts.delete(id, change, { revision }));
      return { status: 204 };
    },

    async createAccountLink({ path: { id }, body, change }) {
      const url = portalUrl();
      if (url === null) throw new Refused('route_not_found', { message: NO_PORTAL_MESSAGE });
      const link = await accounts.createLink(id, body.seconds * 1000, change);
      return { status: 201, body: { url: formatLinkUrl(url, link.token), expiresAt: toDateTime(link.expiresAt) } };
    },
  };
}

/** @throws RegistryError `account_not_found` */
async function requireAccount(accounts: Accounts, id: string): Promise<Account> {
  const account = await accounts.get(id);
  if (account === null) throw accountNotFound(id);
  return account;
}

function toAccountResponse(account: Account) {
  return { status: 200 as const, body: toAccountJson(account), headers: { ETag: formatEtag(account.revision) } };
}

export function toAccountJson({ revision, createdAt, lastSignInAt, ...fields }: Account): Schemas['Account'] {
  return { ...fields, createdAt: toDateTime(createdAt), lastSignInAt: toDateTime(lastSignInAt) };
}

/**
 * Reports a custom plan as a fault in the body. An account cannot have one, because its keys share the limits of its
 * plan, and a custom plan has none.
 */
async function withOrdinaryPlan<T>(plan: string, work: Promise<T>): Promise<T> {
  try {
    return await withPlanAsField(plan, work);
  } catch (error) {
    const isCustom = error instanceof RegistryError && error.code === 'limits_mismatch';
    throw isCustom ? invalidField('/plan', 'must not be a custom plan') : error;
  }
}
