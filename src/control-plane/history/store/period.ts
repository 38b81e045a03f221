import { isDateTime, toDateTime, toMillis, DAY_MS, HOUR_MS } from '../../../base/time.ts';
import type { Resolution, StoredResolution } from './history-store.ts';
import { oldestKept, type Retention } from './retention.ts';
import { LENGTHS, nextStart, startOf } from './calendar.ts';

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
const USUAL_MS: Readonly<Record<Resolution, number>> = {
  minute: HOUR_MS,
  hour: DAY_MS,
  '6h': 7 * DAY_MS,
  day: 30 * DAY_MS,
};
/** A resolution is chosen by default only if the period has at most this number of intervals. */
export const USUAL_INTERVALS: Readonly<Record<StoredResolution, number>> = { minute: 180, hour: 7 * 24, day: Infinity };

/**
 * Reads the period of a query. The default is the last 24 hours, in intervals that suit the length of the period. The
 * period is widened to whole intervals. Parts in the future, or whose data has been deleted, are cut off.
 *
 * @param maxSeries maximum number of series with points in the response; 0: there are no points
 * @throws PeriodFault
 */
export function readPeriod(query: PeriodQuery, keep: Retention, now: number, maxSeries: number): Period {
  const to = Math.min(readTime(query, 'to') ?? now, now);
  const given = readEvery(query.every);
  const from = readTime(query, 'from') ?? to - USUAL_MS[given ?? 'hour'];
  if (from >= to) throw new PeriodFault('from', 'must be before `to`, and in the past');
  const every = given ?? suitable(from, to, keep, now, maxSeries);
  return checked({ from, to, every }, keep, now, maxSeries);
}

function readTime(query: PeriodQuery, field: 'from' | 'to'): number | undefined {
  const text = query[field];
  if (text === undefined) return undefined;
  if (isDateTime(text)) return toMillis(text);
  throw new PeriodFault(field, 'must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z');
}

function readEvery(text: string | undefined): Resolution | undefined {
  const found = RESOLUTIONS.find((every) => every === text);
  if (text === undefined || found !== undefined) return found;
  throw new PeriodFault('every', `must be one of ${RESOLUTIONS.join(', ')}`);
}

/** The finest resolution that does not give too many points, and in which the whole period is stored. */
function suitable(from: number, to: number, keep: Retention, now: number, maxSeries: number): Resolution {
  const found = STORED_RESOLUTIONS.find((every) => {
    // Rounds down, because a request for the last seven days arrives a moment later, when the period is slightly
    // longer.
    const isUsual = Math.floor((to - from) / LENGTHS[every]) <= USUAL_INTERVALS[every];
    const isKept = nextStart(every, from) >= oldestKept(keep, every, now);
    return isUsual && isKept && countIntervals(whole({ from, to, every })) * maxSeries <= MAX_POINTS;
  });
  return found ?? 'day';
}

function checked(asked: Period, keep: Retention, now: number, maxSeries: number): Period {
  const { every } = asked;
  const oldest = oldestKept(keep, every, now);
  if (asked.to <= oldest) {
    const coarser = every === 'day' ? '' : ', or a longer `every`';
    throw new PeriodFault('to', `must be after ${toDateTime(oldest)}, the start of the per-${every} data${coarser}`);
  }
  const period = whole({ ...asked, from: Math.max(asked.from, oldest) });
  const points = countIntervals(period) * maxSeries;
  if (points > MAX_POINTS) throw new PeriodFault('from', tooMany(points, every, maxSeries));
  return period;
}

function whole({ from, to, every }: Period): Period {
  return { from: startOf(every, from), to: nextStart(every, to), every };
}

function countIntervals({ from, to, every }: Period): number {
  return (to - from) / LENGTHS[every];
}

function tooMany(points: number, every: Resolution, maxSeries: number): string {
  const ways = ['must be later'];
  if (every !== 'day') ways.push('or `every` longer');
  if (maxSeries > 1) ways.push('or `limit` lower');
  return `${ways.join(', ')}: this would return up to ${points} points, and the maximum is ${MAX_POINTS}`;
}
