import states from '../ui/page/states.module.css';
import styles from './traffic.module.css';

/**
 * A placeholder for the figures and charts while they are loading. It is as high as they are, so that the page does not
 * move.
 */
export function TrafficSkeleton() {
  return (
    <div className={styles.counted} role="status" aria-label="Loading the traffic">
      <div className={styles.figures} aria-hidden>
        {Array.from({ length: 5 }, (_, place) => (
          <div key={place}>
            <span className={styles.words}>&nbsp;</span>
            <span className={`${styles.figure} ${states.bone}`}>&nbsp;</span>
            <span className={styles.words}>&nbsp;</span>
          </div>
        ))}
      </div>
      <div className={styles.charts} aria-hidden>
        <div className={styles.chartPlace} />
        <div className={styles.chartPlace} />
      </div>
      <div className={styles.table} aria-hidden>
        <span className={styles.summaryPlace} />
      </div>
    </div>
  );
}
