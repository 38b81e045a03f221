import { DAY_MS, HOUR_MS, MINUTE_MS } from '../format/durations.ts';

export type Period = '1h' | '24h' | '7d' | '30d' | '90d';

interface PeriodFacts {
  readonly label: string;
  /** "in the last …" */
  readonly words: string;
  readonly lengthMs: number;
  readonly every: 'minute' | 'hour' | 'day';
  readonly everyMs: number;
  /** How often a chart of it is read again. */
  readonly refreshMs: number;
}

export const PERIODS: Readonly<Record<Period, PeriodFacts>> = {
  '1h': { label: '1 h', words: 'hour', lengthMs: HOUR_MS, every: 'minute', everyMs: MINUTE_MS, refreshMs: 10_000 },
  '24h': { label: '24 h', words: '24 hours', lengthMs: DAY_MS, every: 'hour', everyMs: HOUR_MS, refreshMs: MINUTE_MS },
  '7d': { label: '7 days', words: '7 days', lengthMs: 7 * DAY_MS, every: 'hour', everyMs: HOUR_MS, refreshMs: 300_000 },
  '30d': {
    label: '30 days',
    words: '30 days',
    lengthMs: 30 * DAY_MS,
    every: 'day',
    everyMs: DAY_MS,
    refreshMs: 300_000,
  },
  '90d': {
    label: '90 days',
    words: '90 days',
    lengthMs: 90 * DAY_MS,
    every: 'day',
    everyMs: DAY_MS,
    refreshMs: 300_000,
  },
};

/** From the address. The default, which unknown values get too, is the last 24 hours, on every screen of both sites. */
export function periodFrom(text: string | undefined): Period {
  return text !== undefined && Object.hasOwn(PERIODS, text) ? (text as Period) : '24h';
}

/** Maximum number of points in a response. */
const MAX_POINTS = 3000;

/** The finest intervals in which this number of series fits into a response, and how many of them do. */
export function resolutionFor(
  period: Period,
  series: number,
): { readonly every: 'minute' | 'hour' | 'day'; readonly maxSeries: number } {
  const { every, everyMs, lengthMs } = PERIODS[period];
  // Whole intervals: one more at either end.
  const fitting = (stepMs: number) => Math.floor(MAX_POINTS / (lengthMs / stepMs + 2));
  if (fitting(everyMs) >= series || lengthMs < 7 * DAY_MS)
    return { every, maxSeries: Math.min(series, fitting(everyMs)) };
  return { every: 'day', maxSeries: Math.min(series, fitting(DAY_MS)) };
}
