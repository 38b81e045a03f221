import { useNow } from '../ui/data/time.tsx';
import type { UsageHistory, UsageSeries } from './usage-history.ts';
import styles from './traffic.module.css';
import { createTrafficPoints } from './traffic-points.ts';

const WIDTH = 104;
const HEIGHT = 24;

/**
 * A small chart of the trend of requests, without numbers because these are next to it. The current interval is
 * lighter.
 */
export function Sparkline({ history, series }: { readonly history: UsageHistory; readonly series: UsageSeries }) {
  const { requests, lastIsRunning } = createTrafficPoints({ ...history, series: [series] }, useNow());
  const values = requests.map((value) => value ?? 0);
  const over = lastIsRunning && values.length > 2 ? values.length - 1 : values.length;
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - (value / most) * HEIGHT).toFixed(1)}`,
  );
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={styles.sparkline} aria-hidden>
      <path d={`M${points.slice(0, over).join('L')}`} />
      {over < points.length && <path d={`M${points.slice(over - 1).join('L')}`} className={styles.running} />}
    </svg>
  );
}
