/**
 * The admission rule: which requests pass, what they cost, and when a key is banned.
 *
 * Pure: no I/O, no clock, nothing mutated. Every store runs this rule, either as this code or as its port to Lua
 * (`redis/lua/admit.lua`); a differential test compares the two field by field.
 *
 * Promises:
 * - All or nothing: a request is admitted, and both windows charged, only if both have room for its cost.
 * - A refused request is not charged. Requests refused by a ban never extend it.
 * - In enforce mode no call raises a counter above its limit; `remaining` is never negative.
 * - Time goes backwards only when the clock is corrected: a `now` up to 5 s before the last one seen counts as the last
 *   one seen. If it is further back, the clock was ahead and has been corrected: windows that start in the future now
 *   start at `now` and keep their counts, and a ban keeps its remaining length. Nobody gains quota from a correction.
 */
import { type Millis, DAY_MS, MINUTE_MS } from '../../base/time.ts';
import type { BanPolicy } from './bans.ts';
import { isBanned, startBan, strikesForBan } from './bans.ts';
import type { Limits, Mode } from '../../base/limits.ts';
import { clearStrikes, type Draft, type State } from './state.ts';
import { advance } from './windows.ts';
import { type Usage, view } from './usage.ts';

/** `admitted`, or the reason for a refusal. In shadow mode a request with such a reason is let through anyway. */
export type Outcome = 'admitted' | 'minute_exhausted' | 'day_exhausted' | 'banned' | 'cost_exceeds_limit';

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

/**
 * Decides one request.
 *
 * @param cost units to take from both windows, a positive integer
 * @returns the decision, and the state to keep (also after a refusal: it may hold a new strike or ban)
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
  forgetOtherMode(next, mode);
  forgetOldStrikes(next, policy);

  const fits = cost <= limits.minute;
  const minuteFull = fits && next.minuteUsed + cost > limits.minute;
  const dayFull = fits && next.dayUsed + cost > limits.day;
  let outcome = outcomeOf(next, fits, minuteFull, dayFull);
  const heldByHand = outcome === 'banned' && next.banManual === 1;
  const admitted = outcome === 'admitted' || (mode === 'shadow' && !heldByHand);

  const exhausted = outcome === 'minute_exhausted' || outcome === 'day_exhausted';
  const struck = exhausted && noteRefusal(next, minuteFull, dayFull, policy);
  const strikes = next.strikes;
  const banStarted = struck && strikes >= strikesForBan(limits.minute, policy);
  if (banStarted) {
    outcome = 'banned';
    if (mode === 'enforce') startBan(next, policy);
    else clearStrikes(next);
  }

  if (admitted) charge(next, cost);
  const retryAt = admitted || outcome === 'cost_exceeds_limit' ? 0 : whenFree(next, minuteFull, dayFull);
  const usage = view(next, limits, admitted || !fits ? 1 : cost);
  return { state: next, decision: { ...usage, admitted, outcome, retryAt, strikes, banStarted } };
}

function outcomeOf(next: State, fits: boolean, minuteFull: boolean, dayFull: boolean): Outcome {
  if (isBanned(next)) return 'banned';
  if (!fits) return 'cost_exceeds_limit';
  if (dayFull) return 'day_exhausted';
  return minuteFull ? 'minute_exhausted' : 'admitted';
}

/** Only refusals the client was told about count against it, so a change of mode clears those noted before it. */
function forgetOtherMode(next: Draft, mode: Mode): void {
  const shadow = mode === 'shadow' ? 1 : 0;
  if (next.shadow === shadow) return;
  next.shadow = shadow;
  next.minuteRefusedAt = 0;
  next.dayRefusedAt = 0;
  clearStrikes(next);
}

function forgetOldStrikes(next: Draft, policy: BanPolicy): void {
  if (next.strikes > 0 && next.seen - next.strikesSince > policy.withinMs) clearStrikes(next);
}

function charge(next: Draft, cost: number): void {
  if (next.minuteUsed === 0) next.minuteStart = next.seen;
  next.minuteUsed += cost;
  next.dayUsed += cost;
}

/**
 * Notes a refusal and returns whether it is a strike. It is one if the window the client was told to wait for first
 * refused longer ago than the grace: that it still refuses means the client came back before `Retry-After` had passed.
 */
function noteRefusal(next: Draft, minuteFull: boolean, dayFull: boolean, policy: BanPolicy): boolean {
  const minuteFreesLast = minuteFull && !(dayFull && next.dayStart + DAY_MS >= next.minuteStart + MINUTE_MS);
  const refusedAt = minuteFreesLast ? next.minuteRefusedAt : next.dayRefusedAt;
  if (minuteFull && next.minuteRefusedAt === 0) next.minuteRefusedAt = next.seen;
  if (dayFull && next.dayRefusedAt === 0) next.dayRefusedAt = next.seen;
  if (refusedAt === 0 || next.seen - refusedAt <= policy.graceMs) return false;

  if (next.strikes === 0) next.strikesSince = next.seen;
  next.strikes += 1;
  return true;
}

/** When a refused request may succeed: every window without room for it has reset, and no ban is active. */
function whenFree(next: State, minuteFull: boolean, dayFull: boolean): Millis {
  return Math.max(
    isBanned(next) ? next.banUntil : 0,
    minuteFull ? next.minuteStart + MINUTE_MS : 0,
    dayFull ? next.dayStart + DAY_MS : 0,
  );
}
