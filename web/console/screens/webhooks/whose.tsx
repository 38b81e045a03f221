import { Link } from '@tanstack/react-router';
import { NO_ACCOUNT } from '../../api/events/webhooks.ts';
import { AccountName } from './account-name.tsx';

/** Who is told: the operators, or the account that a webhook belongs to; leads to all of theirs. */
export function Whose({ accountId }: { readonly accountId: string | null }) {
  return (
    <Link to="/webhooks" search={{ account: accountId ?? NO_ACCOUNT }}>
      {accountId === null ? 'operators' : <AccountName id={accountId} />}
    </Link>
  );
}
