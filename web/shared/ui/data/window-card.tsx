import { formatCount, formatShare } from '../../format/number.ts';
import { formatShortDuration } from '../../format/time.ts';
import { Meter } from './meter.tsx';
import { useNow } from './time.tsx';
import styles from './window-card.module.css';

interface QuotaWindow {
  readonly name: 'minute' | 'day' | 'month';
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetsAt: string;
}

const TITLES = { minute: 'This minute', day: 'Today (UTC)', month: 'This month (UTC)' };
export const METER_LABELS = { minute: 'Used this minute', day: 'Used today', month: 'Used this month' };

/** Says that the counts are those of this gateway only, because it cannot reach the shared counters. */
export function OwnCountsOnly() {
  return (
    <div className={`${styles.card} ${styles.ban}`}>
      <div className={styles.name}>Incomplete</div>
      <p className={styles.words}>
        The shared counters cannot be reached. These figures are for one gateway alone: its own counts since it lost the
        connection, and its share of the limits.
      </p>
    </div>
  );
}

/** Shows one window of a quota: the used part, and when it resets. */
export function WindowCard({ window: { name, limit, used, remaining, resetsAt } }: { readonly window: QuotaWindow }) {
  const now = useNow();
  const left = Date.parse(resetsAt) - now;
  return (
    <div className={styles.card}>
      <div className={styles.name}>{TITLES[name]}</div>
      <div className={styles.figure}>
        {formatCount(used)} <span>of {formatCount(limit)}</span>
      </div>
      <Meter label={METER_LABELS[name]} used={used} limit={limit} />
      <p className={styles.words}>
        {formatShare(Math.min(used, limit), limit)} used, {formatCount(remaining)} left
        {used > 0 && left > 0 && `, resets in ${formatShortDuration(left)}`}
      </p>
    </div>
  );
}
