import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortenId } from '../../../shared/format/id.ts';
import { OneLine } from '../../../shared/ui/data/one-line.tsx';
import { keyQuery } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import styles from '../parts.module.css';
import { KeySecret } from './key-secret.tsx';

/**
 * Describes the key of a row: its name, the beginning and end of its secret, and its owner. Shows the id until these
 * are known.
 */
export function KeyName({ id }: { readonly id: string | null }) {
  const known = id !== null && id.startsWith('key_');
  const key = useQuery({ ...keyQuery(id ?? ''), enabled: known, staleTime: MINUTE_MS });
  if (!known) return <span className={styles.muted}>{id === null ? 'unknown key' : id}</span>;
  return (
    <Link to="/keys/$id" params={{ id }} data-row-link title={id} className={styles.name}>
      {key.data === undefined ? <code>{shortenId(id)}</code> : <OneLine text={key.data.name} />}
      {key.data !== undefined && (
        <>
          <KeySecret apiKey={key.data} />
          <span className={styles.detail}>
            <OneLine text={findOwnerName(key.data)} />
          </span>
        </>
      )}
    </Link>
  );
}
