import { RotateCw, TriangleAlert } from 'lucide-react';
import { formatRelativeTime } from '../../format/time.ts';
import { IconButton } from '../controls/button.tsx';
import styles from './freshness.module.css';
import { useNow } from '../data/time.tsx';

interface Readable {
  readonly dataUpdatedAt: number;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * Shows the age of the data, a button that reloads it, and a warning if reloading failed.
 *
 * @param isQuiet shows nothing unless reloading failed
 */
export function Freshness({ query, isQuiet = false }: { readonly query: Readable; readonly isQuiet?: boolean }) {
  const now = useNow();
  if (query.dataUpdatedAt === 0 || (isQuiet && !query.isError)) return null;
  const age = formatRelativeTime(query.dataUpdatedAt, Math.max(now, query.dataUpdatedAt));
  return (
    <span className={query.isError ? `${styles.freshness} ${styles.stale}` : styles.freshness}>
      {query.isError && <TriangleAlert size={13} aria-hidden />}
      {query.isError && 'Could not refresh. '}Updated {age}
      <IconButton icon={RotateCw} label="Refresh" disabled={query.isFetching} onClick={() => void query.refetch()} />
    </span>
  );
}
