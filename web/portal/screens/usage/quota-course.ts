import { DAY_MS, HOUR_MS } from '../../../shared/format/durations.ts';
import type { UsageHistory } from '../../../shared/traffic/usage-history.ts';

export interface CourseHour {
  /** The beginning of the hour, in ms since the Unix epoch. */
  readonly atMs: number;
  /** The units that were charged in this hour. */
  readonly units: number;
  /** The units that were charged from the beginning of the day to the end of this hour. */
  readonly total: number;
}

/**
 * Sums up the charged units of each hour of a day (UTC) that has begun.
 *
 * @param history the counts by key and hour
 * @param isOfQuota returns true if the key with this id uses the quota
 */
export function createCourse(
  history: UsageHistory,
  isOfQuota: (key: string | null) => boolean,
  nowMs: number,
): readonly CourseHour[] {
  const units = new Map<number, number>();
  for (const { group, points } of history.series) {
    if (!isOfQuota(group)) continue;
    for (const point of points) {
      const atMs = Date.parse(point.at);
      units.set(atMs, (units.get(atMs) ?? 0) + point.units);
    }
  }
  const hours: CourseHour[] = [];
  let total = 0;
  for (let atMs = Date.parse(history.from); atMs < nowMs; atMs += HOUR_MS) {
    const charged = units.get(atMs) ?? 0;
    total += charged;
    hours.push({ atMs, units: charged, total });
  }
  return hours;
}

/** The running total at each hour of the day; null for hours that have not begun. Times are in ms since the Unix epoch. */
export function courseByHour(hours: readonly CourseHour[]) {
  const startMs = hours[0]?.atMs ?? 0;
  const all = Array.from({ length: DAY_MS / HOUR_MS }, (_, hour) => hour);
  return { at: all.map((hour) => startMs + hour * HOUR_MS), used: all.map((hour) => hours[hour]?.total ?? null) };
}
