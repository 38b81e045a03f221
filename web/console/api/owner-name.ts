import type { Key } from './keys.ts';

/** The owner of a key by the name of its account; by its id if it has none. */
export function ownerNameOf({ owner, account }: Pick<Key, 'owner' | 'account'>): string {
  return account?.name ?? owner;
}
