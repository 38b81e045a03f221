import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortId } from '../../../shared/format/id.ts';
import { keyQuery } from '../../api/keys.ts';
import styles from '../parts.module.css';

/** A key by its name; its id until that is known. */
export function KeyName({ id, withOwner = true }: { readonly id: string | null; readonly withOwner?: boolean }) {
  const known = id !== null && id.startsWith('key_');
  const key = useQuery({ ...keyQuery(id ?? ''), enabled: known, staleTime: MINUTE_MS });
  if (!known) return <span className={styles.muted}>{id === null ? 'unknown key' : id}</span>;
  return (
    <Link to="/keys/$id" params={{ id }} data-row-link title={id} className={styles.name}>
      {key.data === undefined ? <code>{shortId(id)}</code> : <bdi>{key.data.name}</bdi>}
      {withOwner && key.data !== undefined && (
        <span className={styles.detail}>
          <bdi>{key.data.owner}</bdi>
        </span>
      )}
    </Link>
  );
}
