import { LRUCache } from 'lru-cache';
import { banView } from '../bans.ts';
import { type BanPolicy, type BanView, type Decision, initialState, type Limits, type Millis } from '../decide.ts';
import type { State, Usage } from '../decide.ts';
import { MemoryStore } from '../embedded/memory-store.ts';
import { advance } from '../state.ts';
import type { AdmissionRequest, Clock } from '../store.ts';

/** Of the keys that were banned when they last called, so many are remembered. */
const MOST_BANS = 10_000;

export interface LocalFallbackOptions {
  /** The shared store's time, as well as it is known. */
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** How many gateways share the limits. */
  readonly replicas: number;
}

/**
 * What one gateway decides by itself while the shared store does not answer: the same rule, at its share of the limits.
 * Bans that it knows of hold; it starts none, since it sees only its share of the refusals.
 *
 * What it counted is neither merged back nor forgotten when the store is back: short outages one after the other do
 * not each grant a new share.
 */
export class LocalFallback {
  readonly #memory: MemoryStore;
  readonly #clock: Clock;
  readonly #replicas: number;
  readonly #bans = new LRUCache<string, State>({ max: MOST_BANS });

  constructor({ clock, policy, replicas }: LocalFallbackOptions) {
    this.#clock = clock;
    this.#replicas = replicas;
    this.#memory = new MemoryStore({ clock, policy: { ...policy, grace: Infinity } });
  }

  /** Takes note of the ban that the shared store told of at `now`, or that it told of none. */
  note(quotaId: string, ban: BanView | null, now: Millis): void {
    if (ban === null) this.forgive(quotaId);
    else this.#bans.set(quotaId, stateOf(ban, now));
  }

  /** No ban holds any more. */
  forgive(quotaId: string): void {
    if (this.#bans.size > 0) this.#bans.delete(quotaId);
  }

  /** For plans that let through (`open`) it counts, and lets through. */
  admit({ quotaId, cost, limits, mode }: AdmissionRequest, open: boolean): Decision {
    const share = this.#shareOf(limits, cost);
    const ban = this.#banOf(quotaId);
    if (ban !== null && (mode === 'enforce' || ban.manual)) {
      return refusal(this.#memory.inspect(quotaId, share), ban, cost);
    }
    const decision = this.#memory.admit({ quotaId, cost, limits: share, mode: open ? 'shadow' : mode });
    return { ...decision, ban, degraded: true };
  }

  inspect(quotaId: string, limits: Limits): Usage {
    const usage = this.#memory.inspect(quotaId, this.#shareOf(limits, 1));
    return { ...usage, ban: this.#banOf(quotaId), degraded: true };
  }

  /** At least one request, whatever it costs, if the whole limit has room for it. */
  #shareOf({ minute, day }: Limits, cost: number): Limits {
    const least = Math.min(cost, minute);
    return {
      minute: Math.max(least, Math.floor(minute / this.#replicas)),
      day: Math.max(least, Math.floor(day / this.#replicas)),
    };
  }

  #banOf(quotaId: string): BanView | null {
    const noted = this.#bans.get(quotaId);
    if (noted === undefined) return null;
    const state = advance(noted, this.#clock());
    this.#bans.set(quotaId, state);
    return banView(state);
  }
}

/** As the rule keeps it, so that a corrected clock means for it what it means to the rule. */
function stateOf({ from, until, level, manual }: BanView, now: Millis): State {
  const ban = { banFrom: from, banUntil: until, banLevel: level, banManual: manual ? 1 : 0 } as const;
  return { ...initialState, ...ban, seen: now };
}

function refusal(usage: Usage, ban: BanView, cost: number): Decision {
  const { minute, day } = usage;
  const retryAt = Math.max(
    ban.until,
    minute.remaining < cost ? minute.resetAt : 0,
    day.remaining < cost ? day.resetAt : 0,
  );
  const refused = { admitted: false, outcome: 'banned', retryAt, strikes: 0, banStarted: false } as const;
  return { ...usage, ban, degraded: true, ...refused };
}
