import { OwnCountsOnly, WindowCard } from '../../shared/ui/data/window-card.tsx';
import styles from '../../shared/ui/data/window-card.module.css';
import type { QuotaUsage } from '../api/usage.ts';

/** Shows a card for each window of a quota. */
export function Windows({ usage }: { readonly usage: QuotaUsage }) {
  return (
    <div className={styles.windows}>
      {usage.windows.map((window) => (
        <WindowCard key={window.name} window={window} />
      ))}
      {usage.degraded === true && <OwnCountsOnly />}
    </div>
  );
}
