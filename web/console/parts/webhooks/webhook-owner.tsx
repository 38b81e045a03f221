import { AccountLink } from '../account-link.tsx';

/** The account of a webhook, with a link to its owner's page. Webhooks of operators have none. */
export function WebhookOwner({ accountId }: { readonly accountId: string | null }) {
  return accountId === null ? 'operators' : <AccountLink id={accountId} />;
}
