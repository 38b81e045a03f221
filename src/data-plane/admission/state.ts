import type { Millis } from '../../base/time.ts';

/**
 * Everything stored for one quota. All fields are numbers, so that every store can hold them. Zero means none. A window
 * has begun if its `used` is above zero.
 */
export interface State {
  /** The latest time any call has seen. */
  readonly seen: Millis;
  readonly minuteStart: Millis;
  readonly minuteUsed: number;
  /**
   * When the current minute window first refused a request. Every refusal of a patient client counts as a first one.
   */
  readonly minuteRefusedAt: Millis;
  /** 00:00 UTC of the day that `dayUsed` counts. */
  readonly dayStart: Millis;
  readonly dayUsed: number;
  readonly dayRefusedAt: Millis;
  readonly strikes: number;
  readonly strikesSince: Millis;
  /** 1 if the refusals and strikes were noted in shadow mode, so that the client never saw them. */
  readonly shadow: 0 | 1;
  readonly banFrom: Millis;
  readonly banUntil: Millis;
  /** Number of automatic bans not yet forgiven. */
  readonly banLevel: number;
  /** 1 when an operator set the last ban. */
  readonly banManual: 0 | 1;
  /**
   * When a request was last refused, for any reason. Refusals that follow within the grace period are not noted.
   */
  readonly lastRefusedAt: Millis;
  /** Null if nothing was charged to a month that may still be running. */
  readonly month: MonthState | null;
}

/**
 * The current month. It is separate, because only plans with a month limit read and write it. In Redis, it has its own
 * key, so that older gateways without months ignore it.
 */
export interface MonthState {
  /** 00:00 UTC on the first of the month. */
  readonly start: Millis;
  /** 00:00 UTC on the first of the next month. */
  readonly end: Millis;
  /** Never 0. */
  readonly used: number;
  readonly refusedAt: Millis;
}

export const initialState: State = Object.freeze({
  seen: 0,
  minuteStart: 0,
  minuteUsed: 0,
  minuteRefusedAt: 0,
  dayStart: 0,
  dayUsed: 0,
  dayRefusedAt: 0,
  strikes: 0,
  strikesSince: 0,
  shadow: 0,
  banFrom: 0,
  banUntil: 0,
  banLevel: 0,
  banManual: 0,
  lastRefusedAt: 0,
  month: null,
});

/** A copy of a state, for changes. */
export type Draft = { -readonly [K in keyof State]: State[K] };

export function clearStrikes(next: Draft): void {
  next.strikes = 0;
  next.strikesSince = 0;
}
