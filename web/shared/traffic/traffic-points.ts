import { INTERVAL_MS } from './period.ts';
import type { UsageHistory, UsagePoint } from './usage-history.ts';

export interface TrafficPoints {
  /** The starts of the intervals, in ms since the Unix epoch. */
  readonly at: readonly number[];
  readonly stepMs: number;
  /** Null if the interval is before the gateway's first count, so that its numbers are unknown. */
  readonly requests: readonly (number | null)[];
  /** The charged units. */
  readonly units: readonly (number | null)[];
  /** The number of responses from services with a status below 400. */
  readonly served: readonly (number | null)[];
  readonly refused: readonly (number | null)[];
  readonly errors: readonly (number | null)[];
  readonly clientErrors: readonly (number | null)[];
  /** In milliseconds. Null if there were no requests. */
  readonly p50Ms: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  /** True if the last interval is the current one, which is incomplete. */
  readonly lastIsRunning: boolean;
}

/**
 * Creates a point for each interval from the first counted one to the last. An interval without requests has the count
 * 0 instead of a gap, and no duration.
 */
export function createTrafficPoints(
  { from, to, every, countedSince, series }: UsageHistory,
  nowMs: number,
): TrafficPoints {
  const stepMs = INTERVAL_MS[every];
  const known = new Map(series[0]?.points.map((point) => [Date.parse(point.at), point]));
  const firstMs = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const at: number[] = [];
  for (let start = firstMs; start < Date.parse(to); start += stepMs) at.push(start);
  const sinceMs = countedSince === null ? Infinity : Date.parse(countedSince);
  const counts = (count: (point: UsagePoint) => number) =>
    at.map((start) => {
      const point = known.get(start);
      if (point !== undefined) return count(point);
      return start + stepMs > sinceMs ? 0 : null;
    });
  return {
    at,
    stepMs,
    requests: counts(({ requests }) => requests),
    units: counts(({ units }) => units),
    served: counts(({ requests, refused, errors, clientErrors }) => requests - refused - errors - clientErrors),
    refused: counts(({ refused }) => refused),
    errors: counts(({ errors }) => errors),
    clientErrors: counts(({ clientErrors }) => clientErrors),
    p50Ms: at.map((start) => known.get(start)?.p50Ms ?? null),
    p95Ms: at.map((start) => known.get(start)?.p95Ms ?? null),
    lastIsRunning: (at.at(-1) ?? 0) + stepMs > nowMs,
  };
}
