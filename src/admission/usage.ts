import { banView } from './bans.ts';
import type { Limits, Millis, State, Usage, WindowName, WindowView } from './quota.ts';
import { advance, DAY, MINUTE } from './state.ts';

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
    resetAt: (state.minuteUsed > 0 ? state.minuteStart : state.seen) + MINUTE,
  };
  const day = {
    limit: limits.day,
    used: state.dayUsed,
    remaining: Math.max(0, limits.day - state.dayUsed),
    resetAt: state.dayStart + DAY,
  };
  return { now: state.seen, minute, day, binding: bindingWindow(minute, day, need), ban: banView(state) };
}

function bindingWindow(minute: WindowView, day: WindowView, need: number): WindowName {
  const bothExhausted = minute.remaining < need && day.remaining < need;
  if (bothExhausted || minute.remaining === day.remaining) return day.resetAt >= minute.resetAt ? 'day' : 'minute';
  // If only one is exhausted, it also has the least remaining.
  return minute.remaining < day.remaining ? 'minute' : 'day';
}
