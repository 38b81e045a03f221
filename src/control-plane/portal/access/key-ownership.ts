import type { KeyStatus } from '../../../domain/credential.ts';
import type { SignedIn } from '../../accounts/account-sessions.ts';
import { type Key, createKeyNotFoundError } from '../../registry/key.ts';
import type { Page, PageRequest } from '../../../storage/paging.ts';
import type { Registry } from '../../registry/registry.ts';

/** A portal user may see all keys of the account's owner. A user who signed in with a key may see only that key. */
function ownsKey({ account, key }: SignedIn, other: Key): boolean {
  return account === null ? other.id === key.id : other.owner === account.owner;
}

/**
 * Gets a key that the user may see. Any other key is reported as not found.
 *
 * @throws RegistryError `key_not_found`
 */
export async function getOwnKey(registry: Registry, signedIn: SignedIn, id: string): Promise<Key> {
  const key = await registry.getKey(id);
  if (key === null || !ownsKey(signedIn, key)) throw createKeyNotFoundError(id);
  return key;
}

/** Lists the keys that the user may see, newest first. */
export async function listOwnKeys(
  registry: Registry,
  { account, key }: SignedIn,
  status: KeyStatus | undefined,
  page: PageRequest,
): Promise<Page<Key>> {
  if (account !== null) return registry.listKeys({ owner: account.owner, status }, page);
  return { items: status === undefined || key.status === status ? [key] : [], nextCursor: null };
}
