/** What the history is asked, and what it answers. Times are ms since the Unix epoch, durations ms. */

export type Resolution = 'minute' | 'hour' | 'day';
export type Grouping = 'key' | 'owner' | 'plan' | 'operation' | 'outcome';

/** Filters apply together. Owner and plan are those that the key of a count has now. */
export interface UsageQuery {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly every: Resolution;
  /** Undefined: one series of everything. */
  readonly by?: Grouping;
  readonly key?: string;
  /** The id of a key: its requests, and those of the other keys of its rotation chain. */
  readonly chainOf?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly operation?: string;
  readonly outcome?: string;
  /** Series, at most; those with the most requests. */
  readonly limit: number;
  /** Series have no points. */
  readonly totalsOnly?: boolean;
  /** What is kept at each resolution reaches back from here. */
  readonly now: number;
}

export interface UsageFigures {
  readonly requests: number;
  /** Charged. */
  readonly units: number;
  /** Requests that the gateway refused with a status below 500. */
  readonly refused: number;
  /** Requests answered with a status of 500 or above, by the gateway or the upstream. */
  readonly errors: number;
  /** Null: no requests. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface UsagePoint extends UsageFigures {
  readonly at: number;
}

export interface UsageSeries {
  /** Null: requests that have none, such as those without a known key. */
  readonly group: string | null;
  readonly totals: UsageFigures;
  /** In order of time; those without requests are left out. */
  readonly points: readonly UsagePoint[];
}

export interface UsageReport {
  /** The beginning of what is answered: later than was asked for, if that is not kept any more. */
  readonly from: number;
  readonly to: number;
  readonly every: Resolution;
  /** Most requests first. */
  readonly series: readonly UsageSeries[];
  /** The sum of the groups beyond `limit`; null if there are none. */
  readonly others: UsageFigures | null;
}

export interface CallersQuery {
  readonly operation: string;
  readonly limit: number;
  /** From the page before. */
  readonly cursor?: string;
}

export interface Caller {
  readonly key: string;
  /** Null: the key is unknown by now. */
  readonly owner: string | null;
  readonly plan: string | null;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requests: number;
}

export interface CallersPage {
  readonly items: readonly Caller[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
}

/** Which operations somebody called. Exactly one of `owner` and `chainOf`, as in `UsageQuery`. */
export interface CallsQuery {
  /** Ids. */
  readonly operations: readonly string[];
  readonly owner?: string;
  readonly chainOf?: string;
}

export interface Calls {
  readonly operation: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requests: number;
}

export interface PreviewQuery {
  readonly plan: string;
  readonly limits: { readonly minute: number; readonly day: number };
  readonly now: number;
}

/** How often and how far one key went above a limit. */
export interface Excess {
  /** Windows in which it did. */
  readonly count: number;
  /** Units asked for in the worst of them; 0 if there is none. */
  readonly peak: number;
}

export interface PreviewReport {
  /** The beginning of the minutes and days that were looked at. */
  readonly minutesFrom: number;
  readonly daysFrom: number;
  /** Keys that went above a limit. */
  readonly keysAbove: number;
  /** The worst of them, worst first: those with the most days and then minutes above. */
  readonly keys: readonly {
    readonly key: string;
    readonly owner: string;
    readonly minutes: Excess;
    readonly days: Excess;
  }[];
}

/** What a refusal was decided from. */
export interface RefusalRecord {
  readonly requestId: string;
  readonly quotaId: string;
  readonly keyId: string;
  readonly at: number;
  /** Serializable as JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface FoundRefusal extends RefusalRecord {
  /**
   * What the key did from its minute until its reason had passed: for ten minutes at least, a day at most. Minutes
   * without requests are left out.
   */
  readonly minutes: readonly { readonly at: number; readonly requests: number; readonly refused: number }[];
  /** Kept refusals of the same key and quota in that time, after this one; of many, the last. */
  readonly later: readonly Pick<RefusalRecord, 'at' | 'facts'>[];
}
