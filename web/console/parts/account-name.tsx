import { useQuery } from '@tanstack/react-query';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { shortenId } from '../../shared/format/id.ts';
import { accountQuery } from '../api/accounts.ts';

/** Shows the name of an account, or its id until the name is known. */
export function AccountName({ id }: { readonly id: string }) {
  const account = useQuery({ ...accountQuery(id), staleTime: MINUTE_MS });
  if (account.data === undefined) return <code title={id}>{shortenId(id)}</code>;
  return <bdi title={id}>{account.data.name}</bdi>;
}
