import { useQuery } from '@tanstack/react-query';
import { shortId } from '../../../shared/format/id.ts';
import { accountQuery } from '../../api/accounts.ts';

const MINUTE_MS = 60_000;

/** An account by its name; its id until that is known. */
export function AccountName({ id }: { readonly id: string }) {
  const account = useQuery({ ...accountQuery(id), staleTime: MINUTE_MS });
  if (account.data === undefined) return <code title={id}>{shortId(id)}</code>;
  return <bdi title={id}>{account.data.name}</bdi>;
}
