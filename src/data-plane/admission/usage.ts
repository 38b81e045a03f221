import { type Millis, DAY_MS, MINUTE_MS } from '../../base/time.ts';
import { banView, type BanView } from './bans.ts';
import type { Limits } from '../../base/limits.ts';
import type { State } from './state.ts';
import { advance } from './windows.ts';

export type WindowName = 'minute' | 'day';

export interface WindowView {
  readonly limit: number;
  readonly used: number;
  /** Never negative, even if the limit was lowered below what is used. */
  readonly remaining: number;
  /** When `used` resets to zero; for a minute window that is not open, as if it opened now. */
  readonly resetAt: Millis;
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

/** The current usage of a quota; charges nothing. */
export function inspect(state: State, now: Millis, limits: Limits): Usage {
  return view(advance(state, now), limits, 1);
}

/**
 * @param state already advanced to now (see `advance`)
 * @param need the room below which a window counts as exhausted
 */
export function view(state: State, limits: Limits, need: number): Usage {
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
  return { now: state.seen, minute, day, binding: bindingWindow(minute, day, need), ban: banView(state) };
}

function bindingWindow(minute: WindowView, day: WindowView, need: number): WindowName {
  const bothExhausted = minute.remaining < need && day.remaining < need;
  if (bothExhausted || minute.remaining === day.remaining) return day.resetAt >= minute.resetAt ? 'day' : 'minute';
  // If only one is exhausted, it also has the least remaining.
  return minute.remaining < day.remaining ? 'minute' : 'day';
}
