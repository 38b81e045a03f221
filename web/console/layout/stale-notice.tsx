import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Button } from '../../shared/ui/controls/button.tsx';
import { isStatus } from '../../shared/transport/error.ts';
import { Note } from '../../shared/ui/page/states.tsx';
import styles from './stale-notice.module.css';

/** Says that some data on the screen could not be reloaded, so that users do not take it for current. */
export function StaleNotice() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const stale = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => staleReads(cache).length,
  );
  if (stale === 0) return null;
  const readAgain = () => staleReads(cache).forEach((query) => void query.fetch().catch(() => {}));
  return (
    <div role="status" className={styles.notice}>
      <Note tone="refused" icon={TriangleAlert}>
        <div className={styles.words}>
          <span>
            <strong>This page may be out of date.</strong> The gateway did not respond, or could not read its data.
          </span>
          <Button onClick={readAgain}>Reload data</Button>
        </div>
      </Note>
    </div>
  );
}

/** Finds data on the screen that could not be reloaded. Data that no longer exists was reloaded successfully. */
function staleReads(cache: QueryCache) {
  return cache
    .getAll()
    .filter(
      (query) =>
        query.isActive() &&
        query.state.status === 'error' &&
        query.state.data !== undefined &&
        !isStatus(query.state.error, 404),
    );
}
