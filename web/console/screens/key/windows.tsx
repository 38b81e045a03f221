import { count, share } from '../../../shared/format/number.ts';
import { duration } from '../../../shared/format/time.ts';
import { Meter } from '../../../shared/ui/data/meter.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import type { Usage } from '../../api/keys.ts';
import styles from './windows.module.css';

/** Both windows of a key, as they stand. */
export function Windows({ usage }: { readonly usage: Usage }) {
  return (
    <div className={styles.windows}>
      {usage.windows.map((window) => (
        <WindowCard key={window.name} window={window} />
      ))}
      {usage.ban !== null && (
        <div className={`${styles.card} ${styles.ban}`}>
          <div className={styles.name}>Ban</div>
          <div className={styles.figure}>{usage.ban.manual ? 'by an operator' : `level ${usage.ban.level}`}</div>
          <p className={styles.words}>
            Ends <Time at={usage.ban.until} />, began <Time at={usage.ban.from} />
          </p>
        </div>
      )}
    </div>
  );
}

function WindowCard({
  window: { name, limit, used, remaining, resetsAt },
}: {
  readonly window: Usage['windows'][number];
}) {
  const now = useNow();
  const left = Date.parse(resetsAt) - now;
  return (
    <div className={styles.card}>
      <div className={styles.name}>{name === 'minute' ? 'This minute' : 'Today (UTC)'}</div>
      <div className={styles.figure}>
        {count(used)} <span>of {count(limit)}</span>
      </div>
      <Meter label={name === 'minute' ? 'Used this minute' : 'Used today'} used={used} limit={limit} />
      <p className={styles.words}>
        {share(Math.min(used, limit), limit)} used, {count(remaining)} left
        {used > 0 && left > 0 && `, frees in ${duration(left)}`}
      </p>
    </div>
  );
}
