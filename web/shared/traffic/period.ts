import { DAY_MS, HOUR_MS, MINUTE_MS } from '../format/durations.ts';
import { formatShortTime } from '../format/time.ts';
import type { Resolution } from './usage-history.ts';

export interface PeriodInAddress {
  readonly period?: string;
  /** RFC 3339. If `from` and `to` are both set, they replace `period`. */
  readonly from?: string;
  readonly to?: string;
}

/** A period that ends now, or that lies between two times in the URL. */
export interface Period {
  /** The name of a period that ends now. Undefined if the period lies between `from` and `to`. */
  readonly name: PeriodName | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** For sentences: "in the last 24 hours", "from 22 Nov 14:00 to 23 Nov 15:30". */
  readonly words: string;
  readonly lengthMs: number;
  /** The length of an interval. Undefined if the API chooses it. */
  readonly every: Resolution | undefined;
  /** The compared period begins this long before the report. By default, it ends where the report begins. */
  readonly previousMs: number | undefined;
  /** The time between two reloads of a chart. */
  readonly refreshMs: number;
}

interface PeriodFacts {
  readonly label: string;
  /** Completes "in the last …", except for `today`. */
  readonly words: string;
  /** The length of the period. For `today`, it is the maximum. */
  readonly lengthMs: number;
  readonly every: Resolution;
  readonly previousMs?: number;
  readonly refreshMs: number;
}

const SLOW_REFRESH_MS = 5 * MINUTE_MS;

export const PERIODS = {
  '1h': { label: '1 h', words: 'hour', lengthMs: HOUR_MS, every: 'minute', refreshMs: 10_000 },
  today: {
    label: 'Today',
    words: 'today (UTC)',
    lengthMs: DAY_MS,
    every: 'hour',
    // The previous day is compared at the same hours, because there is less traffic at night.
    previousMs: DAY_MS,
    refreshMs: MINUTE_MS,
  },
  '24h': { label: '24 h', words: '24 hours', lengthMs: DAY_MS, every: 'hour', refreshMs: MINUTE_MS },
  '7d': { label: '7 d', words: '7 days', lengthMs: 7 * DAY_MS, every: '6h', refreshMs: SLOW_REFRESH_MS },
  '14d': { label: '14 d', words: '14 days', lengthMs: 14 * DAY_MS, every: 'day', refreshMs: SLOW_REFRESH_MS },
  '30d': { label: '30 d', words: '30 days', lengthMs: 30 * DAY_MS, every: 'day', refreshMs: SLOW_REFRESH_MS },
  '90d': { label: '90 d', words: '90 days', lengthMs: 90 * DAY_MS, every: 'day', refreshMs: SLOW_REFRESH_MS },
} as const satisfies Readonly<Record<string, PeriodFacts>>;

type PeriodName = keyof typeof PERIODS;

export const INTERVAL_MS: Readonly<Record<Resolution, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  '6h': 6 * HOUR_MS,
  day: DAY_MS,
};

/** Completes "Requests per …". */
export function formatIntervalLength(every: Resolution): string {
  return every === '6h' ? '6 hours' : every;
}

/** Completes "the current …". */
export function nameInterval(every: Resolution): string {
  return every === '6h' ? 'interval' : every;
}

/** Reads the period from the URL. A missing or invalid period means the last 24 hours on every screen. */
export function readPeriod({ period, from, to }: PeriodInAddress): Period {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (start < end) {
    const now = Date.now();
    const words = `from ${formatShortTime(start, now)} to ${formatShortTime(end, now)}`;
    const chosen = { every: undefined, previousMs: undefined, refreshMs: SLOW_REFRESH_MS };
    return { ...chosen, name: undefined, from, to, words, lengthMs: end - start };
  }
  const name = period !== undefined && Object.hasOwn(PERIODS, period) ? (period as PeriodName) : '24h';
  const { words, previousMs, ...facts }: PeriodFacts = PERIODS[name];
  const when = name === 'today' ? words : `in the last ${words}`;
  return { ...facts, previousMs, name, from: undefined, to: undefined, words: when };
}

/** The part of a query key that identifies the period. */
export function createPeriodKey({ name, from, to }: Period): string {
  return name ?? `${from}/${to}`;
}

/** Finds the present start and end of the period, as parameters of a usage report. */
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

/** The maximum number of points that the API returns in one response. */
const MAX_POINTS = 3000;

/** Finds the finest interval with which the series fit into one response, and the number of series that fit. */
export function chooseResolution(
  { lengthMs, every }: Period,
  series: number,
): { readonly every: Resolution | undefined; readonly maxSeries: number } {
  // A period that starts in the middle of an interval has one more interval at each end.
  const fitting = (stepMs: number) => Math.floor(MAX_POINTS / (lengthMs / stepMs + 2));
  const finest = INTERVAL_MS[every ?? 'day'];
  if (every === undefined || fitting(finest) >= series || lengthMs < 7 * DAY_MS)
    return { every, maxSeries: Math.min(series, fitting(finest)) };
  return { every: 'day', maxSeries: Math.min(series, fitting(DAY_MS)) };
}
