import { AccountLink } from '../account-link.tsx';

/** Links to the owner of the account of a webhook. Webhooks of operators have no account. */
export function WebhookOwner({ accountId }: { readonly accountId: string | null }) {
  return accountId === null ? 'operators' : <AccountLink id={accountId} />;
}
