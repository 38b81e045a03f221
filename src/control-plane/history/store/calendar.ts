import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts';
import type { Resolution } from './history-store.ts';

/** Times are ms since the Unix epoch; days and months are in UTC. */

/** Length of an interval in ms, by resolution. */
export const INTERVAL_LENGTHS: Readonly<Record<Resolution, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  '6h': 6 * HOUR_MS,
  day: DAY_MS,
};

/** The start of the interval that contains a time. */
export function findStart(every: Resolution, at: number): number {
  const length = INTERVAL_LENGTHS[every];
  return Math.floor(at / length) * length;
}

/** The start of the first interval that begins at a time or after it. */
export function findNextStart(every: Resolution, at: number): number {
  const length = INTERVAL_LENGTHS[every];
  return Math.ceil(at / length) * length;
}

/** The start of the month that contains a time. */
export function startOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The column of `usage_months` that a time belongs to. */
export function findDayColumn(at: number): string {
  return `d${new Date(at).getUTCDate()}`;
}
