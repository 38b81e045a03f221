import {
  type Account,
  type AccountFilter,
  accountNotFound,
  type AccountPatch,
  type NewAccount,
} from '../../../accounts/account.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { toDateTime } from '../../../../base/time.ts';
import { RegistryError } from '../../../../base/error-types.ts';
import { PREFIX } from '../../document.ts';
import { etag, ifMatching } from '../../../api/http/if-match.ts';
import { invalid, Refused } from '../../../api/http/refused.ts';
import type { AdminOperations, Call, PageQuery, Reply } from '../../operation.ts';
import { unknownPlan } from '../new-key.ts';
import { linkUrl } from '../sessions.ts';

type ListQuery = PageQuery & Omit<AccountFilter, 'search'> & { readonly q?: string };

const NO_PORTAL = 'This gateway has no portal to sign in to: see portal.enabled.';

/** @param portalUrl where the portal is; null if there is none */
export function accountOperations(accounts: Accounts, portalUrl: () => string | null): AdminOperations {
  const revisionOf = (id: string) => async () => (await existingAccount(accounts, id)).revision;

  return {
    async listAccounts({ query: { limit, cursor, q: search, ...filter } }: Call<undefined, ListQuery>) {
      const { items, nextCursor } = await accounts.list({ ...filter, search }, { limit, cursor });
      return { status: 200, body: { items: items.map(accountJson), nextCursor } };
    },

    async createAccount({ body, change }: Call<NewAccount>) {
      const account = await withPlanAsField(body.plan, accounts.create(body, change));
      const { headers, ...reply } = found(account);
      return { ...reply, status: 201, headers: { ...headers, Location: `${PREFIX}/accounts/${account.id}` } };
    },

    async getAccount({ path: { id = '' } }: Call) {
      return found(await existingAccount(accounts, id));
    },

    async updateAccount({ path: { id = '' }, body, change, ifMatch }: Call<AccountPatch>) {
      const update = (revision?: number) =>
        withPlanAsField(body.plan ?? '', accounts.update(id, body, change, { revision }));
      return found(await ifMatching(ifMatch, revisionOf(id), update));
    },

    async deleteAccount({ path: { id = '' }, change, ifMatch }: Call) {
      await ifMatching(ifMatch, revisionOf(id), (revision) => accounts.delete(id, change, { revision }));
      return { status: 204 };
    },

    async createAccountLink({ path: { id = '' }, body, change }: Call<{ readonly seconds: number }>) {
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

function found(account: Account): Reply {
  return { status: 200, body: accountJson(account), headers: { ETag: etag(account.revision) } };
}

export function accountJson({ revision, createdAt, lastSignInAt, ...same }: Account) {
  const times = {
    createdAt: toDateTime(createdAt),
    lastSignInAt: lastSignInAt === null ? null : toDateTime(lastSignInAt),
  };
  return { ...same, ...times };
}

/** Here the plan is a field of the body, not the resource in the path: one that will not do makes the body invalid. */
async function withPlanAsField<T>(plan: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (error.code === 'plan_not_found') throw invalid('/plan', unknownPlan(plan));
    if (error.code === 'limits_mismatch') throw invalid('/plan', 'must not be a custom plan');
    throw error;
  }
}
