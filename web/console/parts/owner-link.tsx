import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/transport/client.ts';
import styles from './parts.module.css';

interface Props {
  readonly owner: string;
  /** Its account, by whose name it is shown. */
  readonly account?: Schemas['OwnerAccount'];
  /** It opens the row of a table. */
  readonly row?: boolean;
}

export function OwnerLink({ owner, account, row = false }: Props) {
  const name = account?.name ?? owner;
  return (
    <Link
      to="/owners/$owner"
      params={{ owner }}
      title={name === owner ? undefined : owner}
      data-row-link={row ? true : undefined}
    >
      <bdi>{name}</bdi>
      {row && name !== owner && (
        <span className={styles.below}>
          <bdi>{owner}</bdi>
        </span>
      )}
    </Link>
  );
}
