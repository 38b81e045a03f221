import { DAY_MS, HOUR_MS, MINUTE_MS } from '../format/durations.ts';
import type { UsageHistory, UsagePoint } from './usage-history.ts';

const INTERVAL_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export interface TrafficPoints {
  /** The beginnings of the intervals, in seconds since the epoch. */
  readonly at: readonly number[];
  readonly requests: readonly number[];
  /** Answered by services, with a status below 400. */
  readonly served: readonly number[];
  readonly refused: readonly number[];
  readonly errors: readonly number[];
  readonly clientErrors: readonly number[];
  /** Milliseconds; null if there were no requests. */
  readonly p95Ms: readonly (number | null)[];
  /** Whether the last interval is still running. */
  readonly lastIsRunning: boolean;
}

/**
 * One point for each interval from the first stored one to the last: an interval without requests is a zero, not a gap,
 * and has no duration.
 */
export function trafficPoints({ from, to, every, series }: UsageHistory, nowMs: number): TrafficPoints {
  const stepMs = INTERVAL_MS[every];
  const known = new Map(series[0]?.points.map((point) => [Date.parse(point.at), point]));
  const firstMs = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const starts: number[] = [];
  for (let at = firstMs; at < Date.parse(to); at += stepMs) starts.push(at);
  const points = starts.map((at) => known.get(at));
  return {
    at: starts.map((at) => at / 1000),
    requests: points.map((point) => point?.requests ?? 0),
    served: points.map(servedOf),
    refused: points.map((point) => point?.refused ?? 0),
    errors: points.map((point) => point?.errors ?? 0),
    clientErrors: points.map((point) => point?.clientErrors ?? 0),
    p95Ms: points.map((point) => point?.p95Ms ?? null),
    lastIsRunning: (starts.at(-1) ?? 0) + stepMs > nowMs,
  };
}

function servedOf(point: UsagePoint | undefined): number {
  return point === undefined ? 0 : point.requests - point.refused - point.errors - point.clientErrors;
}
