import { exactTime } from '../../../shared/format/time.ts';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import type { Operation } from '../../api/operations.ts';
import { moments } from './lifecycle.ts';
import styles from './operation-screen.module.css';

/** The life of an operation, from its deprecation to its sunset. */
export function LifecycleTimeline({ lifecycle }: Pick<Operation, 'lifecycle'>) {
  const now = useNow();
  const shown = moments(lifecycle, now);
  if (shown.length === 0) return null;
  return (
    <ol className={styles.timeline} aria-label="Lifecycle">
      {shown.map(({ what, atMs, isNow }) => (
        <li key={`${what} ${atMs}`} data-past={atMs < now} data-now={isNow === true}>
          <span className={styles.what}>{what}</span>
          {isNow !== true && (
            <span className={styles.when}>
              <Time at={atMs} />
              <br />
              {exactTime(atMs)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
