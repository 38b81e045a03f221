import { formatShortTime, formatUtcDay } from '../format/time.ts';
import { useNow } from '../ui/data/time.tsx';
import { type Comparison, type PreviousTimes, formatTimes } from './comparison.ts';
import { INTERVAL_MS, nameInterval } from './period.ts';
import styles from './traffic.module.css';
import type { UsageHistory } from './usage-history.ts';

interface Props {
  readonly history: UsageHistory;
  /** Null if no interval is complete yet, so that nothing can be compared. */
  readonly times: PreviousTimes | null;
  /** Null until the previous period is loaded. */
  readonly comparison: Comparison | null;
  readonly error: Error | null;
}

/** Says with which period the report is compared, or why it is not compared. */
export function ComparisonNote({ history, times, comparison, error }: Props) {
  const now = useNow();
  return (
    <p className={styles.note} role="status">
      {words()}
    </p>
  );

  function words(): string {
    const { every } = history;
    if (times === null) return `No ${nameInterval(every)} of this period is over yet, so there is nothing to compare.`;
    const before = formatTimes(times, now);
    if (comparison === null) {
      return error === null
        ? `Reading ${before}…`
        : `The previous period (${before}) could not be read: ${error.message}`;
    }
    if (comparison.totals !== null) {
      const isRunning = Date.parse(history.to) > Math.floor(now / INTERVAL_MS[every]) * INTERVAL_MS[every];
      const without = isRunning
        ? ` Changes in counts leave out the current ${nameInterval(every)}, which is not over.`
        : '';
      return `Compared with ${before} (dashed).${without}`;
    }
    const { knownFrom } = comparison;
    if (knownFrom === null) return 'Not compared: no requests are stored.';
    const since = every === 'day' ? formatUtcDay(knownFrom) : formatShortTime(Date.parse(knownFrom), now);
    if (knownFrom >= times.to) {
      return `Not compared: the stored counts start from ${since}, and the previous period was ${before}.`;
    }
    return `Not compared: the previous period was ${before}, but the stored counts start from ${since} (dashed).`;
  }
}
