import { toDateTime } from '../../base/date-time.ts';
import type { UsageReport } from '../reports.ts';

/** A report as both listeners answer it: times in RFC 3339. */
export function usageReportJson({ from, to, every, series, others }: UsageReport) {
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    every,
    series: series.map(({ group, totals, points }) => ({
      group,
      totals,
      points: points.map(({ at, ...figures }) => ({ at: toDateTime(at), ...figures })),
    })),
    others,
  };
}
