import { LRUCache } from 'lru-cache';
import type { Clock, Millis } from '../../../base/time.ts';
import { toBanView, type BanView } from '../ban-rules.ts';
import type { BanChange } from '../ban-source.ts';
import { initialState, type State } from '../state.ts';
import { advance } from '../windows.ts';

/** Maximum number of quotas for which a ban or a lift is remembered. */
const MAX_QUOTAS = 10_000;

/**
 * The bans that a gateway knows of, from the store's decisions and from announcements. They apply while the shared store
 * is unavailable. Announcements may arrive late, so a ban never replaces one that began later, and a lifted ban stays
 * lifted.
 */
export class KnownBans {
  readonly #clock: Clock;
  /**
   * Bans as a `State`, so that corrections of the clock apply to them as in the rule. If a ban was lifted, `banUntil` is
   * 0.
   */
  readonly #states = new LRUCache<string, State>({ max: MAX_QUOTAS });

  /** @param clock estimates the shared store's time */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the ban that the shared store reported at `now`, or null if it reported none. */
  note(quotaId: string, ban: BanView | null, now: Millis): void {
    if (ban !== null) this.#begin(quotaId, ban, now);
    // This runs for every request, and nearly always there is nothing to do.
    else if (this.#states.size > 0) this.#end(quotaId, now);
  }

  /** Records an announced change. */
  learn(change: BanChange): void {
    const { quotaId } = change;
    const knownState = this.#states.peek(quotaId);
    if (change.kind === 'lifted') {
      if (knownState === undefined || knownState.banFrom <= change.from)
        this.#states.set(quotaId, createLiftedState(change.from));
    } else if (knownState === undefined || knownState.banFrom <= change.ban.from) {
      this.#begin(quotaId, change.ban, this.#clock());
    }
  }

  /** Finds the active ban of a quota. */
  find(quotaId: string): BanView | null {
    const knownState = this.#states.get(quotaId);
    if (knownState === undefined) return null;
    const state = advance(knownState, this.#clock());
    this.#states.set(quotaId, state);
    return toBanView(state);
  }

  #begin(quotaId: string, ban: BanView, now: Millis): void {
    const knownState = this.#states.peek(quotaId);
    const isLifted = knownState !== undefined && knownState.banUntil === 0 && knownState.banFrom >= ban.from;
    if (!isLifted) this.#states.set(quotaId, toState(ban, now));
  }

  /**
   * Records that no ban is active. If the known ban has not expired yet, it must have been lifted, and the lift is
   * remembered. Otherwise the ban is forgotten.
   */
  #end(quotaId: string, now: Millis): void {
    const knownState = this.#states.peek(quotaId);
    if (knownState === undefined || knownState.banUntil === 0) return;
    if (knownState.banUntil > now) this.#states.set(quotaId, createLiftedState(knownState.banFrom));
    else this.#states.delete(quotaId);
  }
}

function toState({ from, until, level, manual }: BanView, now: Millis): State {
  const ban = { banFrom: from, banUntil: until, banLevel: level, banManual: manual ? 1 : 0 } as const;
  return { ...initialState, ...ban, seen: now };
}

function createLiftedState(from: Millis): State {
  return { ...initialState, banFrom: from };
}
