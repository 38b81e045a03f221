/**
 * The admission rule: which requests pass, what they cost, and when a key is banned.
 *
 * A pure function: no I/O, no clock, no mutation. Every store runs this rule, either as this code or as its port to Lua
 * (`redis/lua/admit.lua`); a differential test compares the two field by field.
 *
 * Promises:
 * - All or nothing: a request is admitted, and every window charged, only if each has room for its cost.
 * - A refused request is not charged. Requests refused by a ban never extend it.
 * - In enforce mode no call raises a counter above its limit; `remaining` is never negative.
 * - Time goes backward only when the clock is corrected. If `now` is up to 5 s before the last time seen, the last time
 *   seen is used. If it is further back, the clock was ahead and has been corrected: windows that start in the future
 *   then start at `now` and keep their counts, and a ban keeps its remaining length. Nobody gains quota from a
 *   correction.
 */
import { type Millis, DAY_MS, MINUTE_MS } from '../../base/time.ts';
import type { BanPolicy } from './ban-rules.ts';
import { isBanned, startBan, computeStrikesForBan } from './ban-rules.ts';
import type { Limits, Mode, WindowName } from '../../domain/quota-limits.ts';
import { clearStrikes, type Draft, type MonthState, type State } from './state.ts';
import { advance, findCurrentMonth } from './windows.ts';
import { type Usage, toUsage } from './quota-usage.ts';

/** `admitted`, or the reason for a refusal. In shadow mode, requests pass even if there is a reason to refuse them. */
export type Outcome = 'admitted' | 'banned' | 'cost_exceeds_limit' | Exhausted;
type Exhausted = 'minute_exhausted' | 'day_exhausted' | 'month_exhausted';

export interface Decision extends Usage {
  /** Whether the request passes. */
  readonly admitted: boolean;
  /** The decision of the rule, regardless of shadow mode. */
  readonly outcome: Outcome;
  /** When a retry may succeed; 0 if the request passes, or if a retry can never succeed. */
  readonly retryAt: Millis;
  /**
   * The number of active strikes, including this request's. If this request started a ban, the number that triggered it.
   */
  readonly strikes: number;
  /** True if the strike of this request started a ban (in shadow mode: would have started a ban). */
  readonly banStarted: boolean;
}

/**
 * Decides one request.
 *
 * @param cost units to take from every window, a positive integer
 * @returns the decision, and the state to keep (also after a refusal, because the state may contain a new strike or
 * ban)
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
  const month: MonthDraft | null = limits.month === undefined ? null : { ...findCurrentMonth(next) };
  clearOtherMode(next, month, mode);
  clearOldStrikes(next, policy);

  const isAffordable = cost <= limits.minute;
  const fullWindows: FullWindows = {
    minute: isAffordable && next.minuteUsed + cost > limits.minute,
    day: isAffordable && next.dayUsed + cost > limits.day,
    month: isAffordable && month !== null && month.used + cost > (limits.month ?? Infinity),
  };
  let outcome = chooseOutcome(next, isAffordable, fullWindows);
  const isBannedManually = outcome === 'banned' && next.banManual === 1;
  const admitted = outcome === 'admitted' || (mode === 'shadow' && !isBannedManually);

  const sinceRefusalMs = next.seen - next.lastRefusedAt;
  const isPatient = sinceRefusalMs >= policy.patienceMs;
  // Only the first of several refusals within the grace period is noted, because requests that were sent together are
  // refused together.
  if (outcome !== 'admitted' && sinceRefusalMs > policy.graceMs) next.lastRefusedAt = next.seen;
  const isStrike = isExhausted(outcome) && noteRefusal(next, month, fullWindows, isPatient, policy.graceMs);
  if (isStrike) addStrike(next);
  const strikes = next.strikes;
  const banStarted = isStrike && strikes >= computeStrikesForBan(limits.minute, policy);
  if (banStarted) {
    outcome = 'banned';
    if (mode === 'enforce') startBan(next, policy);
    else clearStrikes(next);
  }

  if (admitted) charge(next, month, cost);
  if (month !== null) next.month = month.used > 0 ? month : null;
  const retryAt = admitted || outcome === 'cost_exceeds_limit' ? 0 : findRetryTime(next, fullWindows);
  const usage = toUsage(next, limits, admitted || !isAffordable ? 1 : cost);
  return { state: next, decision: { ...usage, admitted, outcome, retryAt, strikes, banStarted } };
}

/** A copy of the current month, for changes. */
type MonthDraft = { -readonly [K in keyof MonthState]: MonthState[K] };

/** The windows that have no room for a request. */
type FullWindows = Readonly<Record<WindowName, boolean>>;

function chooseOutcome(next: State, isAffordable: boolean, fullWindows: FullWindows): Outcome {
  if (isBanned(next)) return 'banned';
  if (!isAffordable) return 'cost_exceeds_limit';
  if (fullWindows.month) return 'month_exhausted';
  if (fullWindows.day) return 'day_exhausted';
  return fullWindows.minute ? 'minute_exhausted' : 'admitted';
}

function isExhausted(outcome: Outcome): outcome is Exhausted {
  return outcome === 'minute_exhausted' || outcome === 'day_exhausted' || outcome === 'month_exhausted';
}

/**
 * Clears refusals and strikes that were noted in the other mode: refusals in shadow mode were never sent to the client,
 * so it cannot have ignored them.
 */
function clearOtherMode(next: Draft, month: MonthDraft | null, mode: Mode): void {
  const shadow = mode === 'shadow' ? 1 : 0;
  if (next.shadow === shadow) return;
  next.shadow = shadow;
  next.minuteRefusedAt = 0;
  next.dayRefusedAt = 0;
  if (month !== null) month.refusedAt = 0;
  clearStrikes(next);
}

function clearOldStrikes(next: Draft, policy: BanPolicy): void {
  if (next.strikes > 0 && next.seen - next.strikesSince > policy.withinMs) clearStrikes(next);
}

function charge(next: Draft, month: MonthDraft | null, cost: number): void {
  if (next.minuteUsed === 0) next.minuteStart = next.seen;
  next.minuteUsed += cost;
  next.dayUsed += cost;
  if (month !== null) month.used += cost;
}

/**
 * Notes a refusal and returns whether the client ignored `Retry-After`. `Retry-After` refers to the full window that
 * resets last. The client ignored it if this window first refused a request longer ago than the grace period. The
 * refusal of a patient client counts as a new first refusal.
 */
function noteRefusal(
  next: Draft,
  month: MonthDraft | null,
  fullWindows: FullWindows,
  isPatient: boolean,
  graceMs: number,
): boolean {
  let freeAt = 0;
  let refusedAt = 0;
  if (fullWindows.minute) {
    freeAt = next.minuteStart + MINUTE_MS;
    refusedAt = next.minuteRefusedAt;
    if (isPatient || next.minuteRefusedAt === 0) next.minuteRefusedAt = next.seen;
  }
  if (fullWindows.day) {
    const dayEnd = next.dayStart + DAY_MS;
    if (dayEnd >= freeAt) {
      freeAt = dayEnd;
      refusedAt = next.dayRefusedAt;
    }
    if (isPatient || next.dayRefusedAt === 0) next.dayRefusedAt = next.seen;
  }
  if (fullWindows.month && month !== null) {
    if (month.end >= freeAt) refusedAt = month.refusedAt;
    if (isPatient || month.refusedAt === 0) month.refusedAt = next.seen;
  }
  return !isPatient && refusedAt > 0 && next.seen - refusedAt > graceMs;
}

function addStrike(next: Draft): void {
  if (next.strikes === 0) next.strikesSince = next.seen;
  next.strikes += 1;
}

/** Finds the time from which a refused request may succeed: every full window has reset, and the ban has ended. */
function findRetryTime(next: State, fullWindows: FullWindows): Millis {
  return Math.max(
    isBanned(next) ? next.banUntil : 0,
    fullWindows.minute ? next.minuteStart + MINUTE_MS : 0,
    fullWindows.day ? next.dayStart + DAY_MS : 0,
    fullWindows.month && next.month !== null ? next.month.end : 0,
  );
}
