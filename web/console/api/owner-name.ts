import type { Key } from './keys.ts';

/** The owner of a key: the name of its account, or the id if it has none. */
export function findOwnerName({ owner, account }: Pick<Key, 'owner' | 'account'>): string {
  return account?.name ?? owner;
}
