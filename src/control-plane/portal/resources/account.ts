import type { Account } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { toDateTime } from '../../../base/time.ts';
import { accountOf } from '../access/caller.ts';
import type { Call, PortalOperations } from './operation.ts';
import { timeJson } from './time-json.ts';

export function accountOperations(accounts: Accounts): PortalOperations {
  return {
    getOwnAccount: ({ caller }: Call) => ({ status: 200, body: accountJson(accountOf(caller)) }),

    async updateOwnAccount({ body: { name }, caller, change }: Call<{ readonly name: string }>) {
      return { status: 200, body: accountJson(await accounts.update(accountOf(caller).id, { name }, change)) };
    },
  };
}

export function accountJson({ id, owner, name, email, plan, createdAt, lastSignInAt }: Account) {
  const times = { createdAt: toDateTime(createdAt), lastSignInAt: timeJson(lastSignInAt) };
  return { id, owner, name, email, plan, ...times };
}
