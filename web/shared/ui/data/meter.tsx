import { formatCount } from '../../format/number.ts';
import styles from './meter.module.css';

/** A bar that shows the used part of a limit. The same numbers must be in the text beside it. */
export function Meter({
  label,
  used,
  limit,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}) {
  const part = Math.min(1, used / limit);
  const level = part >= 1 ? styles.full : part >= 0.8 ? styles.near : styles.fine;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={`${formatCount(used)} of ${formatCount(limit)}`}
      className={styles.meter}
    >
      <span className={`${styles.bar} ${level}`} style={{ inlineSize: `${part * 100}%` }} />
    </div>
  );
}
