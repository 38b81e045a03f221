import { lazily } from '../format/lazily.ts';
import { formatShare } from '../format/number.ts';
import { formatShortTime, formatUtcDay } from '../format/time.ts';
import { INTERVAL_MS, type Period } from './period.ts';
import { createTrafficPoints } from './traffic-points.ts';
import type { UsageHistory, UsageTotals } from './usage-history.ts';

/** The parameters with which the previous period is requested. */
export interface PreviousTimes {
  readonly from: string;
  readonly to: string;
  readonly every: UsageHistory['every'];
}

/**
 * Finds the times with which a report is compared. They begin `previousMs` before the report, or directly before it by
 * default, and cover as much time as its complete intervals. The current interval is not compared. Null if no interval
 * is complete.
 */
export function findPreviousTimes(
  { from, to, every }: UsageHistory,
  nowMs: number,
  { previousMs }: Pick<Period, 'previousMs'>,
): PreviousTimes | null {
  const stepMs = INTERVAL_MS[every];
  const firstMs = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const overMs = Math.floor(Math.min(Date.parse(to), nowMs) / stepMs) * stepMs;
  if (overMs <= firstMs) return null;
  const iso = (ms: number) => new Date(ms).toISOString();
  const backMs = previousMs ?? overMs - firstMs;
  return { from: iso(firstMs - backMs), to: iso(overMs - backMs), every };
}

type Counts = Pick<UsageTotals, 'requests' | 'refused' | 'errors' | 'clientErrors'>;

export interface Comparison {
  /**
   * One value for each interval of the report. Null for the current interval, and where the previous value is unknown.
   */
  readonly requests: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  /** Null if the history does not reach back to the beginning of the previous period. */
  readonly totals: { readonly before: UsageTotals; /** Of what is over. */ readonly now: Counts } | null;
  /** The start of the known part of the previous period. Null if all of it or nothing is known. */
  readonly knownFrom: string | null;
}

export function compareHistories(history: UsageHistory, previous: UsageHistory, times: PreviousTimes): Comparison {
  const stepMs = INTERVAL_MS[times.every];
  const [askedMs, firstMs] = [Date.parse(times.from), Date.parse(previous.from)];
  const before = createTrafficPoints(previous, Infinity);
  const { at: shown } = createTrafficPoints(history, Infinity);
  const offset = Math.round((firstMs - askedMs) / stepMs);
  const alignPrevious = (values: readonly (number | null)[]) => shown.map((_, index) => values[index - offset] ?? null);
  const knownMs = Math.max(firstMs, previous.countedSince === null ? Infinity : Date.parse(previous.countedSince));
  const backMs = (shown[0] ?? askedMs) - askedMs;
  const over = (history.series[0]?.points ?? []).filter(({ at }) => Date.parse(at) < Date.parse(times.to) + backMs);
  const totals = previous.series[0]?.totals;
  return {
    requests: alignPrevious(before.requests),
    p95Ms: alignPrevious(before.p95Ms),
    totals: totals === undefined || knownMs > askedMs ? null : { before: totals, now: addCounts(over) },
    knownFrom: knownMs > askedMs && knownMs < Infinity ? new Date(knownMs).toISOString() : null,
  };
}

function addCounts(points: readonly Counts[]): Counts {
  const sum = (count: (point: Counts) => number) => points.reduce((all, point) => all + count(point), 0);
  return {
    requests: sum(({ requests }) => requests),
    refused: sum(({ refused }) => refused),
    errors: sum(({ errors }) => errors),
    clientErrors: sum(({ clientErrors }) => clientErrors),
  };
}

/** Formats the times ("22 Nov 14:00 to 23 Nov 14:00", or in days "11 Nov 2026 to 24 Nov 2026 (UTC)"). */
export function formatTimes({ from, to, every }: PreviousTimes, nowMs: number): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (every !== 'day') return `${formatShortTime(fromMs, nowMs)} to ${formatShortTime(toMs, nowMs)}`;
  return `${formatUtcDay(fromMs)} to ${formatUtcDay(toMs - INTERVAL_MS.day)} (UTC)`;
}

const signedPercentFormat = lazily(
  () => new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
);

export const NO_CHANGE = 'no change';

/** Formats a change ("+12.3%, from 1,012"). */
export function formatChange(now: number, before: number, format: (value: number) => string): string {
  if (before === 0) return now === 0 ? NO_CHANGE : 'none before';
  const change = signedPercentFormat().format(((now - before) / before) * 100);
  return change === '0' ? NO_CHANGE : `${change}%, from ${format(before)}`;
}

/** Formats the change of a share in percentage points: "+1.1 points, from 11.2%". */
export function formatShareChange(now: number, of: number, before: number, ofBefore: number): string {
  if (of === 0 || ofBefore === 0) return ofBefore === 0 ? 'no requests before' : 'no requests to compare';
  const points = (now / of - before / ofBefore) * 100;
  const change = signedPercentFormat().format(points);
  return change === '0' ? NO_CHANGE : `${change} points, from ${formatShare(before, ofBefore)}`;
}
