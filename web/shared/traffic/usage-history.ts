/** The length of an interval. */
export type Resolution = 'minute' | 'hour' | '6h' | 'day';

/** Counted requests, in the form in which the admin API and the portal's API return them. */
export interface UsageHistory {
  readonly from: string;
  readonly to: string;
  readonly every: Resolution;
  /** The time of the oldest stored count; null if there is none. */
  readonly countedSince: string | null;
  /** The series with the most requests comes first. */
  readonly series: readonly UsageSeries[];
  /** The sum of the series beyond the requested number. */
  readonly others: UsageTotals | null;
}

export interface UsageSeries {
  /** The group of the series; null without grouping, and for an unknown group. */
  readonly group: string | null;
  readonly totals: UsageTotals;
  readonly points: readonly UsagePoint[];
}

export interface UsageTotals {
  readonly requests: number;
  /** Charged units. */
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  /** Responses of services with a 4xx status. */
  readonly clientErrors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface UsagePoint extends UsageTotals {
  /** The start of the interval. */
  readonly at: string;
}
