import { Link } from '@tanstack/react-router';
import { NO_ACCOUNT } from '../../api/events/webhooks.ts';
import { AccountName } from '../../parts/account-name.tsx';

/** The operators, or the account that a webhook belongs to; links to all of its webhooks. */
export function WebhookOwner({ accountId }: { readonly accountId: string | null }) {
  return (
    <Link to="/webhooks" search={{ account: accountId ?? NO_ACCOUNT }}>
      {accountId === null ? 'operators' : <AccountName id={accountId} />}
    </Link>
  );
}
