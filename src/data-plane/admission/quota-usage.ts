import { type Millis, DAY_MS, MINUTE_MS } from '../../base/time.ts';
import { toBanView, type BanView } from './ban-rules.ts';
import type { Limits, WindowName } from '../../domain/quota-limits.ts';
import type { State } from './state.ts';
import { advance, findCurrentMonth } from './windows.ts';

export interface WindowView {
  readonly limit: number;
  readonly used: number;
  /** Never negative, even if the limit was lowered below `used`. */
  readonly remaining: number;
  /** When `used` resets to zero. For a minute window that has not begun, as if it began now. */
  readonly resetAt: Millis;
}

export interface MonthView extends WindowView {
  /** 00:00 UTC on the first of the month. */
  readonly startsAt: Millis;
}

/** The usage of a quota, independent of any request. */
export interface Usage {
  /** The time of the decision by the store's clock. */
  readonly now: Millis;
  readonly minute: WindowView;
  readonly day: WindowView;
  /** Undefined if the limits have no month. */
  readonly month?: MonthView | undefined;
  /**
   * The window that the headers show: the exhausted window that resets last or, if none is exhausted, the window with
   * the least remaining. If these are equal, the window that resets later, or else the longer window.
   */
  readonly binding: WindowName;
  /** The active ban, if any. */
  readonly ban: BanView | null;
  /**
   * True if the shared store is unavailable. The figures are then one gateway's own count, against its share of the
   * limits.
   */
  readonly degraded?: boolean;
}

/** Returns the window that the headers show. */
export function findBindingWindow(usage: Usage): WindowView {
  return usage[usage.binding] ?? usage.day;
}

/** Computes the current usage of a quota. Charges nothing. */
export function inspect(state: State, now: Millis, limits: Limits): Usage {
  return toUsage(advance(state, now), limits, 1);
}

/**
 * @param state already advanced to now (see `advance`)
 * @param neededUnits a window counts as exhausted if it has fewer units left than this
 */
export function toUsage(state: State, limits: Limits, neededUnits: number): Usage {
  const minute = {
    limit: limits.minute,
    used: state.minuteUsed,
    remaining: Math.max(0, limits.minute - state.minuteUsed),
    resetAt: (state.minuteUsed > 0 ? state.minuteStart : state.seen) + MINUTE_MS,
  };
  const day = {
    limit: limits.day,
    used: state.dayUsed,
    remaining: Math.max(0, limits.day - state.dayUsed),
    resetAt: state.dayStart + DAY_MS,
  };
  const month = limits.month === undefined ? undefined : toMonthView(state, limits.month);
  const shorter = isBinding(day, minute, neededUnits) ? 'day' : 'minute';
  const binding =
    month !== undefined && isBinding(month, shorter === 'day' ? day : minute, neededUnits) ? 'month' : shorter;
  return { now: state.seen, minute, day, month, binding, ban: toBanView(state) };
}

function toMonthView(state: State, limit: number): MonthView {
  const { start, end, used } = findCurrentMonth(state);
  return { limit, used, remaining: Math.max(0, limit - used), resetAt: end, startsAt: start };
}

/** Whether the headers show the longer of two windows. */
function isBinding(longer: WindowView, shorter: WindowView, neededUnits: number): boolean {
  const bothExhausted = longer.remaining < neededUnits && shorter.remaining < neededUnits;
  if (bothExhausted || longer.remaining === shorter.remaining) return longer.resetAt >= shorter.resetAt;
  // If only one window is exhausted, that window also has the least remaining.
  return longer.remaining < shorter.remaining;
}
