/** The lengths that an interval can have. */
export type Resolution = 'minute' | 'hour' | '6h' | 'day';

/** Counted requests, in the form in which the admin API and the portal's API return them. */
export interface UsageHistory {
  readonly from: string;
  readonly to: string;
  readonly every: Resolution;
  /** The time of the oldest stored count. Null if nothing was counted. */
  readonly countedSince: string | null;
  /** The groups, beginning with the one that has the most requests. */
  readonly series: readonly UsageSeries[];
  /** The sum of the groups beyond the requested number. Null if there are none. */
  readonly others: UsageTotals | null;
}

export interface UsageSeries {
  /** The name of the group. Null if the requests are not grouped, or the group is unknown. */
  readonly group: string | null;
  readonly totals: UsageTotals;
  readonly points: readonly UsagePoint[];
}

export interface UsageTotals {
  readonly requests: number;
  /** The charged units. */
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  /** The number of responses from services with a 4xx status. */
  readonly clientErrors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface UsagePoint extends UsageTotals {
  /** The start of the interval. */
  readonly at: string;
}
