import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { accountOfOwnerQuery } from '../api/accounts.ts';
import type { Schemas } from '../api/transport/client.ts';
import { OneLine } from '../../shared/ui/data/one-line.tsx';
import styles from './parts.module.css';

interface Props {
  readonly owner: string;
  /** Its account, by whose name it is shown. */
  readonly account?: Schemas['OwnerAccount'];
}

/** An owner in a sentence or beside something of its own. */
export function OwnerLink({ owner, account }: Props) {
  const name = account?.name ?? owner;
  return (
    <Link to="/owners/$owner" params={{ owner }} title={name === owner ? undefined : `${name} (${owner})`}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** The account of an owner, where it is only named; null until it is known. */
export function useAccountOf(owner: string) {
  return useQuery({ ...accountOfOwnerQuery(owner), staleTime: MINUTE_MS, retry: false }).data ?? null;
}

/** Where the account of the owner is not known yet. */
export function OwnerByName({ owner }: Pick<Props, 'owner'>) {
  return <OwnerLink owner={owner} account={useAccountOf(owner)} />;
}

/** An owner that a row of a table is about, with its id, where it has a name, and the address to write to. */
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
