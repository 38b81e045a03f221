import { DAY_MS, HOUR_MS, MINUTE_MS } from '../format/durations.ts';
import { type Delivery, hasArrived } from './webhook.ts';

export interface AttemptCounts {
  /** The time of the first attempt, in ms since the Unix epoch. */
  readonly firstMs: number;
  /** The starts of the intervals, in ms since the Unix epoch. The last one contains the present. */
  readonly at: readonly number[];
  readonly stepMs: number;
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** The possible lengths of an interval, so that intervals begin at round times. */
const STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
const MAX_INTERVALS = 48;
/** With fewer, a single bar would fill the chart. */
const MIN_INTERVALS = 12;

/** Counts the attempts in equal intervals from the first attempt until now, or from earlier. Null if nothing was sent. */
export function countAttempts(deliveries: readonly Delivery[], nowMs: number): AttemptCounts | null {
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => ({ atMs: Date.parse(attempt.at), isDelivered: hasArrived(attempt) })),
  );
  if (attempts.length === 0) return null;
  const times = attempts.map(({ atMs }) => atMs);
  const firstMs = Math.min(...times);
  // The clock of the gateway may be ahead of the browser's.
  const lastMs = Math.max(nowMs, ...times);
  const stepMs = STEPS_MS.find((step) => lastMs - firstMs < (MAX_INTERVALS - 1) * step) ?? DAY_MS;
  const lastInterval = Math.floor(lastMs / stepMs);
  const firstInterval = Math.min(Math.floor(firstMs / stepMs), lastInterval - MIN_INTERVALS + 1);
  const at = Array.from({ length: lastInterval - firstInterval + 1 }, (_, place) => (firstInterval + place) * stepMs);
  const delivered = at.map(() => 0);
  const failed = at.map(() => 0);
  for (const { atMs, isDelivered } of attempts) {
    const counts = isDelivered ? delivered : failed;
    const place = Math.floor(atMs / stepMs) - firstInterval;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { firstMs, at, stepMs, delivered, failed };
}
