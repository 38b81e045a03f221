import { AccountLink } from '../account-link.tsx';

/** The account that a webhook belongs to, which leads to its owner's page; the operators have none. */
export function WebhookOwner({ accountId }: { readonly accountId: string | null }) {
  return accountId === null ? 'operators' : <AccountLink id={accountId} />;
}
