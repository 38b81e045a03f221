import type { Account } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { toDateTime } from '../../../base/time.ts';
import { requireAccount } from '../access/caller.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';

export function createAccountOperations(
  accounts: Accounts,
): Pick<PortalOperations, 'getOwnAccount' | 'updateOwnAccount'> {
  return {
    getOwnAccount: ({ caller }) => ({ status: 200, body: toAccountJson(requireAccount(caller)) }),

    async updateOwnAccount({ body: { name }, caller, change }) {
      return { status: 200, body: toAccountJson(await accounts.update(requireAccount(caller).id, { name }, change)) };
    },
  };
}

export function toAccountJson({ id, owner, name, email, plan, createdAt, lastSignInAt }: Account): Schemas['Account'] {
  const times = { createdAt: toDateTime(createdAt), lastSignInAt: toDateTime(lastSignInAt) };
  return { id, owner, name, email, plan, ...times };
}
