import type { NamedAccount } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';

interface OwnedItem {
  readonly owner: string | null;
}

/** Loads the accounts of the items' owners. @returns a function that finds an item's account; null if it has none */
export async function loadAccounts(accounts: Pick<Accounts, 'findByOwners'>, items: readonly OwnedItem[]) {
  const owners = new Set(items.flatMap(({ owner }) => owner ?? []));
  const accountsByOwner = await accounts.findByOwners([...owners]);
  return ({ owner }: OwnedItem): NamedAccount | null => accountsByOwner.get(owner ?? '') ?? null;
}
