import type { WriteContext } from '../registry/write-context.ts';
import type { Account } from './account.ts';
import { accountBy } from './account-rows.ts';
import { accountNotFound } from './account-rules.ts';

/** Held while an account is given an owner or an address, so that no two have the same. Taken before `lockedAccount`. */
export const ACCOUNTS_LOCK = 'accounts';

/** The lock of one account and of what belongs to it. */
export function accountLock(id: string): string {
  return `account:${id}`;
}

/**
 * Locks the account: nobody else changes it, or what belongs to it, until this transaction ends.
 *
 * @throws RegistryError `account_not_found`
 */
export async function lockedAccount({ tx, dialect }: WriteContext, id: string): Promise<Account> {
  await dialect.lock(tx, accountLock(id));
  const account = await accountBy(tx, 'id', id);
  if (account === null) throw accountNotFound(id);
  return account;
}
