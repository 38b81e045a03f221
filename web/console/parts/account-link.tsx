import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { accountQuery } from '../api/accounts.ts';
import { AccountName } from './account-name.tsx';

/** The name of an account, with a link to its owner's page, which shows the account. */
export function AccountLink({ id }: { readonly id: string }) {
  const owner = useQuery({ ...accountQuery(id), staleTime: MINUTE_MS }).data?.owner;
  if (owner === undefined) return <AccountName id={id} />;
  return (
    <Link to="/owners/$owner" params={{ owner }}>
      <AccountName id={id} />
    </Link>
  );
}
