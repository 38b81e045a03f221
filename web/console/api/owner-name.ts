import type { Key } from './keys.ts';

/** The owner's name: that of the account, or the id if there is no account. */
export function findOwnerName({ owner, account }: Pick<Key, 'owner' | 'account'>): string {
  return account?.name ?? owner;
}
