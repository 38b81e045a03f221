import { DAY_MS, HOUR_MS } from '../../../base/time.ts';
import type { Resolution } from '../reports.ts';
import { nextStart } from './times.ts';

/** How long counts are kept at each resolution, in ms: the setting `history.keep`. */
export interface Retention {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

/** The oldest interval of which everything is kept: its start, in ms since the Unix epoch. */
export function oldestKept(keep: Retention, every: Resolution, now: number): number {
  const keptMs = { minute: keep.minutes, hour: keep.hours, day: keep.days }[every];
  return nextStart(every, now - keptMs);
}

/** Refusals can be explained for this long. */
export const REFUSALS_KEPT_MS = 48 * HOUR_MS;

/** A writer that has added nothing for this long is gone. */
export const WRITERS_KEPT_MS = 30 * DAY_MS;
