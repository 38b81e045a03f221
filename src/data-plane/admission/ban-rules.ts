import { DAY_MS, MINUTE_MS } from '../../base/time.ts';
import type { Millis } from '../../base/time.ts';
import { clearStrikes, type Draft, type State } from './state.ts';
import { advance } from './windows.ts';

/**
 * The rules for when a key is banned, and for how long: `bans` in the configuration (`src/config/ban-settings.ts`).
 * This file applies them; `redis/lua/bans.lua` is the port to Lua.
 */
export interface BanPolicy {
  /** Strikes after which a key is banned, or a tenth of its minute limit if that is more. */
  readonly strikes: number;
  /** Strikes add up while they fall within this time of the first strike. */
  readonly withinMs: number;
  /** Refusals this soon after the first refusal are not strikes, because these requests were already in flight. */
  readonly graceMs: number;
  /**
   * A refusal this long after the previous refusal is not a strike but a new first refusal, because a client that polls
   * this slowly is no burden.
   */
  readonly patienceMs: number;
  /** Length of the first, second, … ban; the last entry repeats. Never empty. */
  readonly durationsMs: readonly number[];
  /** Bans are forgiven this long after the last one ended: the next ban is then as short as the first. */
  readonly forgiveAfterMs: number;
}

export interface BanView {
  readonly from: Millis;
  readonly until: Millis;
  /**
   * Number of automatic bans not yet forgiven, including this ban; 0 for a manual ban without an automatic ban before
   * it.
   */
  readonly level: number;
  readonly manual: boolean;
}

/** Bans manually for `durationMs`. Replaces an active ban and does not raise the level. */
export function ban(state: State, now: Millis, durationMs: number, policy: BanPolicy): State {
  const next = advance(state, now);
  setBan(next, durationMs, findLevel(next, policy), 1);
  return next;
}

/** Ends the active ban now, whoever set it, and clears the strikes. */
export function lift(state: State, now: Millis): State {
  const next = advance(state, now);
  if (isBanned(next)) next.banUntil = next.seen;
  clearStrikes(next);
  return next;
}

/** A ban takes strikes for a tenth of the minute limit, so that a fleet that shares a key is not banned for its size. */
const MINUTE_LIMIT_DIVISOR = 10;

/** Computes the number of strikes at which a key is banned. */
export function computeStrikesForBan(minuteLimit: number, policy: BanPolicy): number {
  return Math.max(policy.strikes, Math.ceil(minuteLimit / MINUTE_LIMIT_DIVISOR));
}

/** Bans a key for its strikes. Each ban that is not yet forgiven makes the next one longer. */
export function startBan(next: Draft, policy: BanPolicy): void {
  const level = findLevel(next, policy);
  const durationMs = policy.durationsMs[Math.min(level, policy.durationsMs.length - 1)];
  if (durationMs === undefined) throw new RangeError('a ban policy needs at least one duration');
  setBan(next, durationMs, level + 1, 0);
}

/** Whether a ban is active at the latest time seen by this state. */
export function isBanned(state: State): boolean {
  return state.seen < state.banUntil;
}

export function toBanView(state: State): BanView | null {
  if (!isBanned(state)) return null;
  return { from: state.banFrom, until: state.banUntil, level: state.banLevel, manual: state.banManual === 1 };
}

function setBan(next: Draft, durationMs: number, level: number, manual: 0 | 1): void {
  next.banFrom = next.seen;
  next.banUntil = next.seen + durationMs;
  next.banLevel = level;
  next.banManual = manual;
  clearStrikes(next);
}

function findLevel(state: State, policy: BanPolicy): number {
  return state.seen >= state.banUntil + policy.forgiveAfterMs ? 0 : state.banLevel;
}

/** Computes when the state becomes equivalent to `initialState`. It may be deleted from then on. */
export function computeExpiry(state: State, policy: BanPolicy): Millis {
  return Math.max(
    state.minuteUsed > 0 ? state.minuteStart + MINUTE_MS : 0,
    state.dayUsed > 0 ? state.dayStart + DAY_MS : 0,
    state.strikes > 0 ? state.strikesSince + policy.withinMs + 1 : 0,
    state.banLevel > 0 ? state.banUntil + policy.forgiveAfterMs : state.banUntil,
    state.month === null ? 0 : state.month.end,
  );
}
