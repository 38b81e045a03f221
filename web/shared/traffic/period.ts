import { DAY_MS, HOUR_MS, MINUTE_MS } from '../format/durations.ts';
import { shortTime } from '../format/time.ts';
import type { Resolution } from './usage-history.ts';

export interface PeriodInAddress {
  readonly period?: string;
  /** RFC 3339. If both are set, they replace `period`. */
  readonly from?: string;
  readonly to?: string;
}

/** A period up to now, or between two times in the URL. */
export interface Period {
  /** Undefined: the period is between `from` and `to`. */
  readonly name: PeriodName | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** "in the last 24 hours", "from 22 Nov 14:00 to 23 Nov 15:30". */
  readonly words: string;
  readonly lengthMs: number;
  /** Undefined: the API chooses an interval for the length. */
  readonly every: Resolution | undefined;
  /** How far back the comparison starts; undefined: by the length of the completed part. */
  readonly previousMs: number | undefined;
  /** The interval between two reloads of a chart. */
  readonly refreshMs: number;
}

interface PeriodFacts {
  readonly label: string;
  /** "in the last …". `today` has other words. */
  readonly words: string;
  /** The length; for `today`, the maximum. */
  readonly lengthMs: number;
  readonly every: Resolution;
  readonly previousMs?: number;
  readonly refreshMs: number;
}

const SLOW_MS = 5 * MINUTE_MS;

export const PERIODS = {
  '1h': { label: '1 h', words: 'hour', lengthMs: HOUR_MS, every: 'minute', refreshMs: 10_000 },
  today: {
    label: 'Today',
    words: 'today (UTC)',
    lengthMs: DAY_MS,
    every: 'hour',
    // The comparison is with the same hours of the previous day, because nights differ from days.
    previousMs: DAY_MS,
    refreshMs: MINUTE_MS,
  },
  '24h': { label: '24 h', words: '24 hours', lengthMs: DAY_MS, every: 'hour', refreshMs: MINUTE_MS },
  '7d': { label: '7 d', words: '7 days', lengthMs: 7 * DAY_MS, every: '6h', refreshMs: SLOW_MS },
  '14d': { label: '14 d', words: '14 days', lengthMs: 14 * DAY_MS, every: 'day', refreshMs: SLOW_MS },
  '30d': { label: '30 d', words: '30 days', lengthMs: 30 * DAY_MS, every: 'day', refreshMs: SLOW_MS },
  '90d': { label: '90 d', words: '90 days', lengthMs: 90 * DAY_MS, every: 'day', refreshMs: SLOW_MS },
} as const satisfies Readonly<Record<string, PeriodFacts>>;

type PeriodName = keyof typeof PERIODS;

export const INTERVAL_MS: Readonly<Record<Resolution, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  '6h': 6 * HOUR_MS,
  day: DAY_MS,
};

/** Completes "Requests per …". */
export function intervalWords(every: Resolution): string {
  return every === '6h' ? '6 hours' : every;
}

/** Completes "the current …". */
export function intervalNoun(every: Resolution): string {
  return every === '6h' ? 'interval' : every;
}

/**
 * The period in the URL. The default, which also replaces unreadable values, is the last 24 hours on every screen of
 * both sites.
 */
export function periodFrom({ period, from, to }: PeriodInAddress): Period {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (start < end) {
    const now = Date.now();
    const words = `from ${shortTime(start, now)} to ${shortTime(end, now)}`;
    const chosen = { every: undefined, previousMs: undefined, refreshMs: SLOW_MS };
    return { ...chosen, name: undefined, from, to, words, lengthMs: end - start };
  }
  const name = period !== undefined && Object.hasOwn(PERIODS, period) ? (period as PeriodName) : '24h';
  const { words, previousMs, ...facts }: PeriodFacts = PERIODS[name];
  const when = name === 'today' ? words : `in the last ${words}`;
  return { ...facts, previousMs, name, from: undefined, to: undefined, words: when };
}

/** A part of the keys of queries. */
export function periodKey({ name, from, to }: Period): string {
  return name ?? `${from}/${to}`;
}

/** The current times of the period, as parameters of a usage report. */
export function findTimes({ name, from, to, lengthMs, every }: Period): {
  from: string;
  to?: string;
  every?: Resolution;
} {
  if (from !== undefined && to !== undefined) return { from, to };
  const now = Date.now();
  const start = name === 'today' ? now - (now % DAY_MS) : now - lengthMs;
  return { from: new Date(start).toISOString(), ...(every === undefined ? {} : { every }) };
}

/** Maximum number of points in a response. */
const MAX_POINTS = 3000;

/** The finest interval with which this number of series fits into a response, and the number of intervals. */
export function resolutionFor(
  { lengthMs, every }: Period,
  series: number,
): { readonly every: Resolution | undefined; readonly maxSeries: number } {
  // A period that does not start at an interval overlaps one more at each end.
  const fitting = (stepMs: number) => Math.floor(MAX_POINTS / (lengthMs / stepMs + 2));
  const finest = INTERVAL_MS[every ?? 'day'];
  if (every === undefined || fitting(finest) >= series || lengthMs < 7 * DAY_MS)
    return { every, maxSeries: Math.min(series, fitting(finest)) };
  return { every: 'day', maxSeries: Math.min(series, fitting(DAY_MS)) };
}
