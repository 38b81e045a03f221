/** The types of admission: the state kept for a quota, what limits it, and what is reported about it. */

/** Milliseconds since the Unix epoch, a positive integer. */
export type Millis = number;

/** Requests (or cost units) per window: positive safe integers, minute <= day. */
export interface Limits {
  readonly minute: number;
  readonly day: number;
}

/** `shadow` reports what `enforce` would have done but lets the request through. */
export type Mode = 'enforce' | 'shadow';

/** When a key is banned, and for how long. */
export interface BanPolicy {
  /** Strikes after which a key is banned, or a tenth of its minute limit if that is more. */
  readonly strikes: number;
  /** Strikes add up while they fall within this time of the first one. */
  readonly withinMs: number;
  /** Refusals this soon after a window's first one are not strikes: those requests were already in flight. */
  readonly graceMs: number;
  /** Length of the first, second, … ban; the last entry repeats. Never empty. */
  readonly durationsMs: readonly number[];
  /** The level is forgotten this long after the last ban ended. */
  readonly forgiveAfterMs: number;
}

/**
 * Everything kept for one quota. Flat and all numbers, so that every store can keep it unchanged. Zero means none; a
 * window is open exactly when its `used` is above zero.
 */
export interface State {
  /** The latest time any call has seen. */
  readonly seen: Millis;
  readonly minuteStart: Millis;
  readonly minuteUsed: number;
  /** When the current minute window first refused a request. */
  readonly minuteRefusedAt: Millis;
  /** 00:00 UTC of the day that `dayUsed` counts. */
  readonly dayStart: Millis;
  readonly dayUsed: number;
  readonly dayRefusedAt: Millis;
  readonly strikes: number;
  readonly strikesSince: Millis;
  /** 1 if refusals and strikes were noted in shadow mode, where the client was never told about them. */
  readonly shadow: 0 | 1;
  readonly banFrom: Millis;
  readonly banUntil: Millis;
  /** Number of automatic bans not yet forgiven. */
  readonly banLevel: number;
  /** 1 when an operator set the last ban. */
  readonly banManual: 0 | 1;
}

export type WindowName = 'minute' | 'day';

/** `admitted`, or the reason for a refusal. In shadow mode a request with such a reason is let through anyway. */
export type Outcome = 'admitted' | 'minute_exhausted' | 'day_exhausted' | 'banned' | 'cost_exceeds_limit';

export interface WindowView {
  readonly limit: number;
  readonly used: number;
  /** Never negative, even if the limit was lowered below what is used. */
  readonly remaining: number;
  /** When `used` resets to zero; for a minute window that is not open, as if it opened now. */
  readonly resetAt: Millis;
}

export interface BanView {
  readonly from: Millis;
  readonly until: Millis;
  /** The key's level with this ban: 1 for the first automatic ban, 0 for a manual ban with none before it. */
  readonly level: number;
  readonly manual: boolean;
}

/** What can be reported about a quota without a request. */
export interface Usage {
  /** The time of the decision by the store's clock. */
  readonly now: Millis;
  readonly minute: WindowView;
  readonly day: WindowView;
  /** The window that headers report: the exhausted one that resets last, else the one with the least remaining. */
  readonly binding: WindowName;
  /** The active ban, if any. */
  readonly ban: BanView | null;
  /** True if the shared store did not answer: this is one gateway's own count, against its share of the limits. */
  readonly degraded?: boolean;
}

export interface Decision extends Usage {
  /** Whether the request goes through. */
  readonly admitted: boolean;
  /** What the rule decided, regardless of shadow mode. */
  readonly outcome: Outcome;
  /** When the reason for the refusal will have passed; 0 if there was none, or if it never passes. */
  readonly retryAt: Millis;
  /** Strikes that count after this request; if it started a ban, those that led to it. */
  readonly strikes: number;
  /** True on the one request whose strike started a ban (in shadow mode: would have started one). */
  readonly banStarted: boolean;
}
