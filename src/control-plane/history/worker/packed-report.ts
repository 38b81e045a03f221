import type { UsagePoint, UsageReport, UsageSeries } from '../reports.ts';

/**
 * A report as it crosses threads. Its points are numbers in one piece of memory, because copying thousands of objects
 * takes longer than making them anew.
 */
export interface PackedReport extends Omit<UsageReport, 'series'> {
  readonly series: readonly PackedSeries[];
}

interface PackedSeries extends Omit<UsageSeries, 'points'> {
  /** The `NUMBERS` of each point; NaN for null. */
  readonly points: Float64Array;
}

const NUMBERS = ['at', 'requests', 'units', 'refused', 'errors', 'p50Ms', 'p95Ms', 'p99Ms'] as const;

export function packReport(report: UsageReport): PackedReport {
  return { ...report, series: report.series.map((series) => ({ ...series, points: packPoints(series.points) })) };
}

export function unpackReport(report: PackedReport): UsageReport {
  return { ...report, series: report.series.map((series) => ({ ...series, points: unpackPoints(series.points) })) };
}

function packPoints(points: readonly UsagePoint[]): Float64Array {
  const packed = new Float64Array(points.length * NUMBERS.length);
  let next = 0;
  for (const point of points) for (const name of NUMBERS) packed[next++] = point[name] ?? Number.NaN;
  return packed;
}

function unpackPoints(packed: Float64Array): UsagePoint[] {
  const points: UsagePoint[] = [];
  for (let first = 0; first < packed.length; first += NUMBERS.length) {
    const [at = 0, requests = 0, units = 0, refused = 0, errors = 0, p50 = 0, p95 = 0, p99 = 0] = packed.subarray(
      first,
      first + NUMBERS.length,
    );
    const percentiles = { p50Ms: orNull(p50), p95Ms: orNull(p95), p99Ms: orNull(p99) };
    points.push({ at, requests, units, refused, errors, ...percentiles });
  }
  return points;
}

function orNull(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}
