/** Requests as they were counted; the admin API and the portal's answer in this form. */
export interface UsageHistory {
  readonly from: string;
  readonly to: string;
  readonly every: 'minute' | 'hour' | 'day';
  /** The one with the most requests first. */
  readonly series: readonly UsageSeries[];
  /** The sum of what is beyond the series that were asked for. */
  readonly others: UsageTotals | null;
}

export interface UsageSeries {
  /** What the series is about; null without a grouping, and for what is not known. */
  readonly group: string | null;
  readonly totals: UsageTotals;
  readonly points: readonly UsagePoint[];
}

export interface UsageTotals {
  readonly requests: number;
  /** What was charged. */
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface UsagePoint extends UsageTotals {
  /** The beginning of the interval. */
  readonly at: string;
}
