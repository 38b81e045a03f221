import type { Account } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { toDateTime } from '../../../base/time.ts';
import { readAccount } from '../access/caller.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

export function accountOperations(accounts: Accounts): Pick<PortalOperations, 'getOwnAccount' | 'updateOwnAccount'> {
  return {
    getOwnAccount: ({ caller }) => ({ status: 200, body: accountJson(readAccount(caller)) }),

    async updateOwnAccount({ body: { name }, caller, change }) {
      return { status: 200, body: accountJson(await accounts.update(readAccount(caller).id, { name }, change)) };
    },
  };
}

export function accountJson({ id, owner, name, email, plan, createdAt, lastSignInAt }: Account): Schemas['Account'] {
  const times = { createdAt: toDateTime(createdAt), lastSignInAt: toDateTime(lastSignInAt) };
  return { id, owner, name, email, plan, ...times };
}
