import { DAY_MS } from '../../../shared/format/durations.ts';
import { pluralize } from '../../../shared/format/number.ts';
import { formatExactTime, formatRelativeTime } from '../../../shared/format/time.ts';
import { useNow } from '../../../shared/ui/data/time.tsx';
import type { Operation } from '../../api/operations.ts';
import { listMoments } from './lifecycle.ts';
import styles from './operation-screen.module.css';

/** A timeline of an operation from its deprecation to its sunset, with the present marked. */
export function LifecycleTimeline({ lifecycle }: Pick<Operation, 'lifecycle'>) {
  const now = useNow();
  const shown = listMoments(lifecycle, now);
  if (shown.length === 0) return null;
  return (
    <ol className={styles.timeline} aria-label="Lifecycle">
      {shown.map(({ what, atMs, isNow }) => (
        <li key={`${what} ${atMs}`} data-past={atMs < now} data-now={isNow === true}>
          <span className={styles.what}>{what}</span>
          {isNow !== true && (
            <span className={styles.when}>
              {distance(atMs, now)}
              <br />
              {formatExactTime(atMs)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Formats the distance in days ("in 401 days") even if it is large, because the date is shown below it. */
function distance(atMs: number, nowMs: number): string {
  const days = Math.trunc((atMs - nowMs) / DAY_MS);
  if (Math.abs(days) < 1) return formatRelativeTime(atMs, nowMs);
  return days > 0 ? `in ${pluralize(days, 'day')}` : `${pluralize(-days, 'day')} ago`;
}
