import type { BanPolicy, Millis, State } from './quota.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** A clock this far (ms) behind the last time seen was ahead, and has been put right. Less is skew, after a failover. */
const CLOCK_SKEW = 5_000;

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
});

/** A state under construction: always a copy, never what a caller gave. */
export type Draft = { -readonly [K in keyof State]: State[K] };

/** What counts as the time: `now`, but the last seen where `now` is before it and not by so much as to be a correction. */
export function steady(seen: Millis, now: Millis): Millis {
  return now < seen && now >= seen - CLOCK_SKEW ? seen : now;
}

/** A copy of the state at `now`: the clock clamped or its correction followed, windows that ended closed. */
export function advance(state: State, now: Millis): Draft {
  const next: Draft = { ...state };
  const time = steady(next.seen, now);
  if (time < next.seen) followCorrection(next, time);
  else next.seen = time;
  if (next.seen >= next.minuteStart + MINUTE) closeMinute(next);
  const today = next.seen - (next.seen % DAY);
  if (today !== next.dayStart) openDay(next, today);
  return next;
}

/**
 * The clock was ahead and has been put right. Nothing noted may stay in the future, or a window would be frozen until
 * time catches up with it. Counts stay: nobody gains quota by it. A ban keeps the length it had left.
 */
function followCorrection(next: Draft, now: Millis): void {
  const banLeft = next.banUntil - next.seen;
  next.banUntil = banLeft > 0 ? now + banLeft : Math.min(next.banUntil, now);
  next.banFrom = Math.min(next.banFrom, now);
  next.minuteStart = Math.min(next.minuteStart, now);
  next.minuteRefusedAt = Math.min(next.minuteRefusedAt, now);
  next.dayStart = Math.min(next.dayStart, now - (now % DAY));
  next.dayRefusedAt = Math.min(next.dayRefusedAt, now);
  next.strikesSince = Math.min(next.strikesSince, now);
  next.seen = now;
}

/** From this time on, the state says no more than `initialState` does, and may be dropped. */
export function expiresAt(state: State, policy: BanPolicy): Millis {
  return Math.max(
    state.minuteUsed > 0 ? state.minuteStart + MINUTE : 0,
    state.dayUsed > 0 ? state.dayStart + DAY : 0,
    state.strikes > 0 ? state.strikesSince + policy.within + 1 : 0,
    state.banLevel > 0 ? state.banUntil + policy.forgiveAfter : state.banUntil,
  );
}

/** Empties both windows and clears the strikes; a ban that runs goes on. */
export function reset(state: State, now: Millis): State {
  const next = advance(state, now);
  closeMinute(next);
  openDay(next, next.dayStart);
  clearStrikes(next);
  return next;
}

export function clearStrikes(next: Draft): void {
  next.strikes = 0;
  next.strikesSince = 0;
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
