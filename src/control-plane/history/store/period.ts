import { isDateTime, toDateTime, toMillis, DAY_MS, HOUR_MS } from '../../../base/time.ts';
import type { Resolution, StoredResolution } from './history-store.ts';
import { findOldestKept, type Retention } from './retention.ts';
import { INTERVAL_LENGTHS, findNextStart, findStart } from './calendar.ts';

/** All stored resolutions, finest first. */
export const STORED_RESOLUTIONS: readonly StoredResolution[] = ['minute', 'hour', 'day'];
const RESOLUTIONS: readonly Resolution[] = ['minute', 'hour', '6h', 'day'];

/** A period of whole intervals in UTC. `from` and `to` are ms since the Unix epoch; `to` is exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly every: Resolution;
}

/** A period as in the query of a request. Times are RFC 3339. */
export interface PeriodQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly every?: string | undefined;
}

/** The period cannot be reported. */
export class PeriodFault extends Error {
  override readonly name = 'PeriodFault';
  readonly field: keyof PeriodQuery;

  /** @param message what to change, after the name of the field: `must be …` */
  constructor(field: keyof PeriodQuery, message: string) {
    super(message);
    this.field = field;
  }
}

/** Maximum number of points in a response. */
export const MAX_POINTS = 3000;
/** Length of the period if the query has only a resolution. */
const DEFAULT_LENGTHS_MS: Readonly<Record<Resolution, number>> = {
  minute: HOUR_MS,
  hour: DAY_MS,
  '6h': 7 * DAY_MS,
  day: 30 * DAY_MS,
};
/** A resolution is chosen by default only if the period has at most this number of intervals. */
export const MAX_DEFAULT_INTERVALS: Readonly<Record<StoredResolution, number>> = {
  minute: 180,
  hour: 7 * 24,
  day: Infinity,
};

/**
 * Reads the period of a query. The default is the last 24 hours, in intervals that suit the length of the period. The
 * period is widened to whole intervals. Parts in the future, or whose data has been deleted, are cut off.
 *
 * @param maxSeries maximum number of series with points in the response; 0: there are no points
 * @throws PeriodFault
 */
export function readPeriod(query: PeriodQuery, keep: Retention, now: number, maxSeries: number): Period {
  const to = Math.min(readTime(query, 'to') ?? now, now);
  const requestedEvery = readEvery(query.every);
  const from = readTime(query, 'from') ?? to - DEFAULT_LENGTHS_MS[requestedEvery ?? 'hour'];
  if (from >= to) throw new PeriodFault('from', 'must be before `to`, and in the past');
  const every = requestedEvery ?? chooseResolution(from, to, keep, now, maxSeries);
  return checkPeriod({ from, to, every }, keep, now, maxSeries);
}

function readTime(query: PeriodQuery, field: 'from' | 'to'): number | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  if (isDateTime(text)) return toMillis(text);
  throw new PeriodFault(field, 'must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z');
}

function readEvery(text: string | undefined): Resolution | undefined {
  const resolution = RESOLUTIONS.find((every) => every === text);
  if (text === undefined || resolution !== undefined) return resolution;
  throw new PeriodFault('every', `must be one of ${RESOLUTIONS.join(', ')}`);
}

/** The finest resolution that does not give too many points, and in which the whole period is stored. */
function chooseResolution(from: number, to: number, keep: Retention, now: number, maxSeries: number): Resolution {
  const resolution = STORED_RESOLUTIONS.find((every) => {
    // Rounds down, because a request for the last seven days arrives a moment later, when the period is slightly
    // longer.
    const hasFewIntervals = Math.floor((to - from) / INTERVAL_LENGTHS[every]) <= MAX_DEFAULT_INTERVALS[every];
    const isKept = findNextStart(every, from) >= findOldestKept(keep, every, now);
    return hasFewIntervals && isKept && countIntervals(widenPeriod({ from, to, every })) * maxSeries <= MAX_POINTS;
  });
  return resolution ?? 'day';
}

function checkPeriod(requestedPeriod: Period, keep: Retention, now: number, maxSeries: number): Period {
  const { every } = requestedPeriod;
  const oldest = findOldestKept(keep, every, now);
  if (requestedPeriod.to <= oldest) {
    const coarserHint = every === 'day' ? '' : ', or a longer `every`';
    throw new PeriodFault(
      'to',
      `must be after ${toDateTime(oldest)}, the start of the per-${every} data${coarserHint}`,
    );
  }
  const period = widenPeriod({ ...requestedPeriod, from: Math.max(requestedPeriod.from, oldest) });
  const points = countIntervals(period) * maxSeries;
  if (points > MAX_POINTS) throw new PeriodFault('from', describeTooMany(points, every, maxSeries));
  return period;
}

function widenPeriod({ from, to, every }: Period): Period {
  return { from: findStart(every, from), to: findNextStart(every, to), every };
}

function countIntervals({ from, to, every }: Period): number {
  return (to - from) / INTERVAL_LENGTHS[every];
}

function describeTooMany(points: number, every: Resolution, maxSeries: number): string {
  const hints = ['must be later'];
  if (every !== 'day') hints.push('or `every` longer');
  if (maxSeries > 1) hints.push('or `limit` lower');
  return `${hints.join(', ')}: this would return up to ${points} points, and the maximum is ${MAX_POINTS}`;
}
