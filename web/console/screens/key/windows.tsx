import { Time } from '../../../shared/ui/data/time.tsx';
import { OwnCountsOnly, WindowCard } from '../../../shared/ui/data/window-card.tsx';
import type { Usage } from '../../api/keys.ts';
import styles from '../../../shared/ui/data/window-card.module.css';

/** Both windows of a key, as they stand. */
export function Windows({ usage }: { readonly usage: Usage }) {
  return (
    <div className={styles.windows}>
      {usage.windows.map((window) => (
        <WindowCard key={window.name} window={window} />
      ))}
      {usage.degraded === true && <OwnCountsOnly />}
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
