import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { accountOfOwnerQuery } from '../api/accounts.ts';
import type { Schemas } from '../api/transport/client.ts';
import { OneLine } from '../../shared/ui/data/one-line.tsx';
import styles from './parts.module.css';

interface Props {
  readonly owner: string;
  /** The account of the owner. Its name is shown instead of the id. */
  readonly account?: Schemas['OwnerAccount'];
}

/** Links to an owner by name, for use within a sentence. */
export function OwnerLink({ owner, account }: Props) {
  const name = account?.name ?? owner;
  return (
    <Link to="/owners/$owner" params={{ owner }} title={name === owner ? undefined : `${name} (${owner})`}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Reads the account of an owner that is only mentioned. Null until it is known, and if there is none. */
export function useAccountOf(owner: string) {
  return useQuery({ ...accountOfOwnerQuery(owner), staleTime: MINUTE_MS, retry: false }).data ?? null;
}

/** Links to an owner whose account is not known yet. */
export function OwnerByName({ owner }: Pick<Props, 'owner'>) {
  return <OwnerLink owner={owner} account={useAccountOf(owner)} />;
}

/** Describes the owner of a row: name, id and email address. */
export function OwnerName({ owner, account }: Props) {
  const name = account?.name ?? owner;
  const details = [name === owner ? null : owner, account?.email].filter((detail) => detail != null);
  return (
    <Link to="/owners/$owner" params={{ owner }} data-row-link className={styles.name}>
      <OneLine text={name} />
      {details.length > 0 && (
        <span className={styles.detail}>
          <OneLine text={details.join(' · ')} />
        </span>
      )}
    </Link>
  );
}
