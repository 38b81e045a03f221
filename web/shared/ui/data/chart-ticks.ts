import { HOUR_MS, MINUTE_MS } from '../../format/durations.ts';
import { axisDay, axisTime } from '../../format/time.ts';

interface Tick {
  /** The interval at whose beginning it is. */
  readonly index: number;
  readonly label: string;
}

/** As many labels as fit below a wide chart; a narrow one shows every other label. */
const MAX_TICKS = 7;
const HOUR = 60;
const DAY = 24 * HOUR;
/** Minutes. */
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
 * Ticks at round times: in the reader's zone, and days in UTC, as they are counted. Charts over the same intervals have the
 * same ones.
 *
 * @param at the beginnings of the intervals, in ms since the epoch
 */
export function timeTicks(at: readonly number[], stepMs: number): Tick[] {
  // Longer intervals begin at other times of the day in each zone.
  const isLocal = stepMs <= HOUR_MS;
  const minutes = at.map((start) => {
    const offset = isLocal ? new Date(start).getTimezoneOffset() * MINUTE_MS : 0;
    // In zones with half hours, the hours that are counted begin at the half: they tick as if they began before.
    return (Math.floor((start - offset) / stepMs) * stepMs) / MINUTE_MS;
  });
  const indexesAt = (step: number) => minutes.flatMap((minute, index) => (minute % step === 0 ? [index] : []));
  const indexes = STEPS.map(indexesAt).find(({ length }) => length <= MAX_TICKS) ?? [];
  const label = isLocal ? axisTime : axisDay;
  return indexes.map((index) => ({ index, label: label(at[index] ?? 0) }));
}

const MAX_VALUES = 5;

/** Round values from zero to the first that is not below `max`; of counts, only whole ones. */
export function valueTicks(max: number, areWhole: boolean): number[] {
  if (max <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(max / MAX_VALUES));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= MAX_VALUES) ?? max;
  const step = areWhole ? Math.max(1, round) : round;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}
