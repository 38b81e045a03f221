import { toDateTime } from '../../../base/time.ts';
import type { UsageFigures, UsageReport } from '../reports.ts';

/** A report as both listeners answer it: times in RFC 3339. */
export function usageReportJson({ from, to, every, series, others }: UsageReport) {
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    every,
    series: series.map(({ group, totals, points }) => ({
      group,
      totals: figuresJson(totals),
      points: points.map(({ at, ...figures }) => ({ at: toDateTime(at), ...figuresJson(figures) })),
    })),
    others: others && figuresJson(others),
  };
}

function figuresJson({ p50Ms, p95Ms, p99Ms, ...counts }: UsageFigures): UsageFigures {
  return { ...counts, p50Ms: rounded(p50Ms), p95Ms: rounded(p95Ms), p99Ms: rounded(p99Ms) };
}

/** To four digits, which keeps the error of the buckets below 5 %. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Number(ms.toPrecision(4));
}
