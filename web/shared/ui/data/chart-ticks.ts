import { HOUR_MS, MINUTE_MS } from '../../format/durations.ts';
import { formatAxisDay, formatAxisTime } from '../../format/time.ts';

interface Tick {
  /** The index of the interval that begins at the tick. */
  readonly index: number;
  readonly label: string;
}

/** The number of labels that fit below a wide chart. Narrow charts show every other label. */
const MAX_TICKS = 7;
const HOUR = 60;
const DAY = 24 * HOUR;
/** The possible distances between two ticks, in minutes. */
const STEPS = [
  1,
  5,
  10,
  15,
  30,
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 120, 365].map((days) => days * DAY),
];

/**
 * Finds ticks at round times of the user's time zone. Days are in UTC, because counts are per UTC day. Charts with the
 * same intervals have the same ticks.
 *
 * @param at the starts of the intervals, in ms since the Unix epoch
 */
export function createTimeTicks(at: readonly number[], stepMs: number): Tick[] {
  // Intervals of more than an hour begin at odd times of the day in most time zones, so their ticks are in UTC.
  const isLocal = stepMs <= HOUR_MS;
  const minutes = at.map((start) => {
    const offset = isLocal ? new Date(start).getTimezoneOffset() * MINUTE_MS : 0;
    // In time zones with half hours, the stored hours begin at the half hour. Move their ticks to the full hour before.
    return (Math.floor((start - offset) / stepMs) * stepMs) / MINUTE_MS;
  });
  const indexesAt = (step: number) => minutes.flatMap((minute, index) => (minute % step === 0 ? [index] : []));
  const indexes = STEPS.map(indexesAt).find(({ length }) => length <= MAX_TICKS) ?? [];
  const label = isLocal ? formatAxisTime : formatAxisDay;
  return indexes.map((index) => ({ index, label: label(at[index] ?? 0) }));
}

const MAX_VALUES = 5;

/** Finds round values from zero to the first that is at least `max`. If `areWhole`, all of them are whole numbers. */
export function createValueTicks(max: number, areWhole: boolean): number[] {
  if (max <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(max / MAX_VALUES));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= MAX_VALUES) ?? max;
  const step = areWhole ? Math.max(1, round) : round;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}
