/** The words of admission: what is kept of a quota, what limits it, and what is said of it. */

/** Milliseconds since the Unix epoch, a positive integer. */
export type Millis = number;

/** Requests (or cost units) per window: positive safe integers, minute <= day. */
export interface Limits {
  readonly minute: number;
  readonly day: number;
}

/** `shadow` reports what `enforce` would have done, and lets the request through. */
export type Mode = 'enforce' | 'shadow';

/** All times in milliseconds. */
export interface BanPolicy {
  /** Strikes that ban a key; a tenth of its minute limit where that is more. */
  readonly strikes: number;
  /** Strikes count together while they fall within this time of the first of them. */
  readonly within: number;
  /** Refusals this soon after the first one of a window are no strikes: they were already in flight. */
  readonly grace: number;
  /** Length of the first, second, … ban; the last entry repeats. Never empty. */
  readonly durations: readonly number[];
  /** The level is forgotten this long after the last ban ended. */
  readonly forgiveAfter: number;
}

/**
 * All that is known of one quota. Flat, and all numbers, so that every store can keep it as it is. Zero means none,
 * save that a window is open exactly when its `used` is above zero.
 */
export interface State {
  /** The latest time any call has seen. */
  readonly seen: Millis;
  readonly minuteStart: Millis;
  readonly minuteUsed: number;
  /** When the running minute window first refused a request. */
  readonly minuteRefusedAt: Millis;
  /** 00:00 UTC of the day that `dayUsed` counts. */
  readonly dayStart: Millis;
  readonly dayUsed: number;
  readonly dayRefusedAt: Millis;
  readonly strikes: number;
  readonly strikesSince: Millis;
  /** 1 when refusals and strikes were noted in shadow mode, where the client was never told of them. */
  readonly shadow: 0 | 1;
  readonly banFrom: Millis;
  readonly banUntil: Millis;
  /** How many automatic bans are not forgiven yet. */
  readonly banLevel: number;
  /** 1 when an operator set the last ban. */
  readonly banManual: 0 | 1;
}

export type WindowName = 'minute' | 'day';

/** `admitted`, or the reason why not. In shadow mode a request with a reason is let through all the same. */
export type Outcome = 'admitted' | 'minute_exhausted' | 'day_exhausted' | 'banned' | 'cost_exceeds_limit';

export interface WindowView {
  readonly limit: number;
  readonly used: number;
  /** Never negative, even where a limit was lowered below what is used. */
  readonly remaining: number;
  /** When `used` falls to zero; for a minute window that is not open, as if it opened now. */
  readonly resetAt: Millis;
}

export interface BanView {
  readonly from: Millis;
  readonly until: Millis;
  /** The level this ban left the key at: 1 for the first automatic ban; 0 for one by hand with none before it. */
  readonly level: number;
  readonly manual: boolean;
}

/** What can be said of a quota without a request. */
export interface Usage {
  /** The time of the decision in the store's clock. */
  readonly now: Millis;
  readonly minute: WindowView;
  readonly day: WindowView;
  /** The window that headers report: of the exhausted ones the last to free, else the one with least remaining. */
  readonly binding: WindowName;
  /** The ban that holds now, if any. */
  readonly ban: BanView | null;
  /** True where the shared store did not answer: then this is what one gateway counted by itself, at its share. */
  readonly degraded?: boolean;
}

export interface Decision extends Usage {
  /** Whether the request goes through. */
  readonly admitted: boolean;
  /** What the rule says of it, shadow mode or not. */
  readonly outcome: Outcome;
  /** When the reason for the refusal has passed; 0 when there was none, or when it never passes. */
  readonly retryAt: Millis;
  /** The strikes that count after this request; those that led to the ban if it started one. */
  readonly strikes: number;
  /** True on the one request that completed the strikes (in shadow mode: that would have started a ban). */
  readonly banStarted: boolean;
}
