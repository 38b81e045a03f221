/**
 * The rule of admission: who may pass, what it costs them, and when they are banned.
 *
 * Pure: no I/O, no clock, nothing mutated. Every store runs this rule, either this code or the same in Lua, and a
 * differential test holds them to each other field by field.
 *
 * Promises:
 * - All or nothing: a request is admitted only if both windows have room for its cost, and only then is either charged.
 * - A refused request charges nothing. A ban is never extended by the requests it refuses.
 * - In enforce mode no call raises a counter above its limit; `remaining` is never negative.
 * - Time never runs backwards: a `now` before the last one seen counts as the last one seen.
 */

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
  /** Length of the first, second, … ban; the last entry repeats. */
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
}

export interface Decision extends Usage {
  /** Whether the request goes through. */
  readonly admitted: boolean;
  /** What the rule says of it, shadow mode or not. */
  readonly outcome: Outcome;
  /** When the same request may succeed; 0 when it was admitted or never can be. */
  readonly retryAt: Millis;
  /** The strikes on record after this request; those that led to the ban if it started one. */
  readonly strikes: number;
  /** True on the one request that completed the strikes (in shadow mode: that would have started a ban). */
  readonly banStarted: boolean;
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;

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

type Draft = { -readonly [K in keyof State]: State[K] };

/**
 * Decides one request.
 *
 * @param cost units it takes from both windows, a positive integer
 * @returns the state to keep (also after a refusal: it may carry a strike or a ban) and the decision
 */
export function decide(
  state: State,
  now: Millis,
  cost: number,
  limits: Limits,
  policy: BanPolicy,
  mode: Mode = 'enforce',
): { state: State; decision: Decision } {
  const next = advance(state, now);
  const shadow = mode === 'shadow';
  forgetOtherMode(next, shadow);

  const fits = cost <= limits.minute;
  const minuteFull = fits && next.minuteUsed + cost > limits.minute;
  const dayFull = fits && next.dayUsed + cost > limits.day;
  let outcome: Outcome = 'admitted';
  let letThrough = shadow;
  let banStarted = false;
  let strikes = next.strikes;
  if (next.seen < next.banUntil) {
    outcome = 'banned';
    if (next.banManual === 1) letThrough = false;
  } else if (!fits) {
    outcome = 'cost_exceeds_limit';
  } else if (minuteFull || dayFull) {
    outcome = dayFull ? 'day_exhausted' : 'minute_exhausted';
    strikes = noteRefusal(next, minuteFull, dayFull, policy);
    banStarted = strikes >= Math.max(policy.strikes, Math.ceil(limits.minute / 10));
    if (banStarted) {
      outcome = 'banned';
      clearStrikes(next);
      if (!shadow) startBan(next, policy);
    }
  }

  const admitted = outcome === 'admitted' || letThrough;
  if (admitted) charge(next, cost);
  const usage = view(next, limits, admitted || !fits ? 1 : cost);
  const retryAt = admitted || outcome === 'cost_exceeds_limit' ? 0 : whenFree(next, minuteFull, dayFull);
  return {
    state: next,
    decision: {
      now: usage.now,
      minute: usage.minute,
      day: usage.day,
      binding: usage.binding,
      ban: usage.ban,
      admitted,
      outcome,
      retryAt,
      strikes: banStarted ? strikes : next.strikes,
      banStarted,
    },
  };
}

/** What a quota looks like now, charging nothing. */
export function inspect(state: State, now: Millis, limits: Limits): Usage {
  return view(advance(state, now), limits, 1);
}

/** Bans by hand for `duration` ms; replaces a ban that runs, and raises no level. */
export function ban(state: State, now: Millis, duration: number, policy: BanPolicy): State {
  const next = advance(state, now);
  next.banLevel = levelOf(next, policy);
  next.banFrom = next.seen;
  next.banUntil = next.seen + duration;
  next.banManual = 1;
  clearStrikes(next);
  return next;
}

/** Ends a ban now, whoever set it, and clears the strikes. */
export function lift(state: State, now: Millis): State {
  const next = advance(state, now);
  if (next.seen < next.banUntil) next.banUntil = next.seen;
  clearStrikes(next);
  return next;
}

/** Empties both windows and clears the strikes; a ban that runs goes on. */
export function reset(state: State, now: Millis): State {
  const next = advance(state, now);
  closeMinute(next);
  openDay(next, next.dayStart);
  clearStrikes(next);
  return next;
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

/** A copy of the state at `now`: the clock clamped, windows that ended closed. */
function advance(state: State, now: Millis): Draft {
  const next: Draft = { ...state };
  if (now > next.seen) next.seen = now;
  if (next.seen >= next.minuteStart + MINUTE) closeMinute(next);
  const today = next.seen - (next.seen % DAY);
  if (today !== next.dayStart) openDay(next, today);
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

function clearStrikes(next: Draft): void {
  next.strikes = 0;
  next.strikesSince = 0;
}

/** A client is only held to refusals that it was told of: those noted in shadow mode end with it, and the reverse. */
function forgetOtherMode(next: Draft, shadow: boolean): void {
  if ((next.shadow === 1) === shadow) return;
  next.shadow = shadow ? 1 : 0;
  next.minuteRefusedAt = 0;
  next.dayRefusedAt = 0;
  clearStrikes(next);
}

function charge(next: Draft, cost: number): void {
  if (next.minuteUsed === 0) next.minuteStart = next.seen;
  next.minuteUsed += cost;
  next.dayUsed += cost;
}

/**
 * Notes a refusal, and whether it is a strike: the window that the client was told to wait for had refused before,
 * longer ago than the grace. That it still refuses means that the time given by `Retry-After` has not come.
 *
 * @returns the strikes on record
 */
function noteRefusal(next: Draft, minuteFull: boolean, dayFull: boolean, policy: BanPolicy): number {
  const minuteFreesLast = minuteFull && !(dayFull && next.dayStart + DAY >= next.minuteStart + MINUTE);
  const refusedAt = minuteFreesLast ? next.minuteRefusedAt : next.dayRefusedAt;
  if (minuteFull && next.minuteRefusedAt === 0) next.minuteRefusedAt = next.seen;
  if (dayFull && next.dayRefusedAt === 0) next.dayRefusedAt = next.seen;
  if (refusedAt === 0 || next.seen - refusedAt <= policy.grace) return next.strikes;

  if (next.strikes === 0 || next.seen - next.strikesSince > policy.within) {
    next.strikes = 0;
    next.strikesSince = next.seen;
  }
  return ++next.strikes;
}

function startBan(next: Draft, policy: BanPolicy): void {
  const level = levelOf(next, policy);
  const duration = policy.durations[Math.min(level, policy.durations.length - 1)];
  if (duration === undefined) throw new RangeError('a ban policy needs at least one duration');
  next.banFrom = next.seen;
  next.banUntil = next.seen + duration;
  next.banLevel = level + 1;
  next.banManual = 0;
}

function levelOf(state: State, policy: BanPolicy): number {
  return state.seen >= state.banUntil + policy.forgiveAfter ? 0 : state.banLevel;
}

/** When a refused request may succeed: every window it lacked room in has freed, and no ban holds. */
function whenFree(next: State, minuteFull: boolean, dayFull: boolean): Millis {
  return Math.max(
    next.seen < next.banUntil ? next.banUntil : 0,
    minuteFull ? next.minuteStart + MINUTE : 0,
    dayFull ? next.dayStart + DAY : 0,
  );
}

/** @param need the room below which a window counts as exhausted */
function view(state: State, limits: Limits, need: number): Usage {
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
  const banned = state.seen < state.banUntil;
  return {
    now: state.seen,
    minute,
    day,
    binding: bindingWindow(minute, day, need),
    ban: banned
      ? { from: state.banFrom, until: state.banUntil, level: state.banLevel, manual: state.banManual === 1 }
      : null,
  };
}

function bindingWindow(minute: WindowView, day: WindowView, need: number): WindowName {
  const later = day.resetAt >= minute.resetAt ? 'day' : 'minute';
  const minuteOut = minute.remaining < need;
  const dayOut = day.remaining < need;
  if (minuteOut || dayOut) return minuteOut && dayOut ? later : minuteOut ? 'minute' : 'day';
  if (minute.remaining === day.remaining) return later;
  return minute.remaining < day.remaining ? 'minute' : 'day';
}
