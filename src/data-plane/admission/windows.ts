import { type Millis, DAY_MS, MINUTE_MS, findMonth } from '../../base/time.ts';
import type { WindowName } from '../../domain/quota-limits.ts';
import { clearStrikes, type Draft, type MonthState, type State } from './state.ts';

/**
 * The windows of a quota, and how they begin and end as time passes or the clock is corrected. `redis/lua/windows.lua`
 * and `redis/lua/month.lua` are the port to Lua.
 */

/**
 * If the clock is further behind the last time seen than this, in ms, it was ahead and has been corrected. A smaller
 * difference is normal, for example after a failover to another server.
 */
const MAX_SKEW_MS = 5_000;

/** Finds the start of a UTC day. */
export function findStartOfDay(time: Millis): Millis {
  return time - (time % DAY_MS);
}

/**
 * Returns the time to use: `now` or, if `now` is only slightly earlier than the last time seen, the last time seen.
 */
export function steadyTime(seen: Millis, now: Millis): Millis {
  return now < seen && now >= seen - MAX_SKEW_MS ? seen : now;
}

/**
 * Returns a copy of the state as it is at `now`: ends windows whose time is over, and applies corrections of the clock.
 * Does not change the month: see `findCurrentMonth`.
 */
export function advance(state: State, now: Millis): Draft {
  const next: Draft = { ...state };
  const time = steadyTime(next.seen, now);
  if (time < next.seen) followCorrection(next, time);
  else next.seen = time;
  if (next.seen >= next.minuteStart + MINUTE_MS) closeMinute(next);
  const today = findStartOfDay(next.seen);
  if (today !== next.dayStart) openDay(next, today);
  return next;
}

/**
 * Applies a correction of the clock, as promised in `decide.ts`. No recorded time may stay in the future, or a window
 * would be frozen until the clock catches up with it.
 */
function followCorrection(next: Draft, now: Millis): void {
  const banLeft = next.banUntil - next.seen;
  next.banUntil = banLeft > 0 ? now + banLeft : Math.min(next.banUntil, now);
  next.banFrom = Math.min(next.banFrom, now);
  next.minuteStart = Math.min(next.minuteStart, now);
  next.minuteRefusedAt = Math.min(next.minuteRefusedAt, now);
  next.dayStart = Math.min(next.dayStart, findStartOfDay(now));
  next.dayRefusedAt = Math.min(next.dayRefusedAt, now);
  next.strikesSince = Math.min(next.strikesSince, now);
  next.lastRefusedAt = Math.min(next.lastRefusedAt, now);
  next.seen = now;
}

/**
 * Returns the month at the last time seen. If the stored month is in the future, a clock that was ahead charged it. Its
 * count is kept, as a count of the current month.
 */
export function findCurrentMonth({ month, seen }: State): MonthState {
  if (month === null || seen >= month.end) return { ...findMonth(seen), used: 0, refusedAt: 0 };
  if (seen >= month.start && seen >= month.refusedAt) return month;
  return { ...findMonth(seen), used: month.used, refusedAt: Math.min(month.refusedAt, seen) };
}

/** Empties one window, or all, and clears the strikes; an active ban continues. */
export function reset(state: State, now: Millis, window?: WindowName): State {
  const next = advance(state, now);
  if (window === undefined || window === 'minute') closeMinute(next);
  if (window === undefined || window === 'day') openDay(next, next.dayStart);
  if (window === undefined || window === 'month') next.month = null;
  clearStrikes(next);
  return next;
}

function closeMinute(next: Draft): void {
  next.minuteStart = 0;
  next.minuteUsed = 0;
  next.minuteRefusedAt = 0;
}

function openDay(next: Draft, start: Millis): void {
  next.dayStart = start;
  next.dayUsed = 0;
  next.dayRefusedAt = 0;
}
