import { LRUCache } from 'lru-cache';
import type { Clock, Millis } from '../../../base/time.ts';
import { banView } from '../ban-rules.ts';
import type { BanPolicy } from '../ban-rules.ts';
import type { BanView } from '../ban-rules.ts';
import type { Decision } from '../decide.ts';
import { initialState } from '../state.ts';
import { type Limits, windowsOf } from '../../../base/quota-limits.ts';
import type { State } from '../state.ts';
import type { Usage, WindowView } from '../quota-usage.ts';
import { MemoryStore } from '../embedded/memory-store.ts';
import { advance } from '../windows.ts';
import type { AdmissionRequest } from '../store.ts';

/** Maximum number of keys remembered as banned. */
const MAX_BANS = 10_000;

export interface LocalFallbackOptions {
  /** Best estimate of the shared store's time. */
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** Number of gateways that share the limits. */
  readonly replicas: number;
}

/**
 * Decides for one gateway while the shared store is unavailable: the same rule, applied to its share of the limits.
 * Known bans apply. It starts none, because it sees only its share of the refusals.
 *
 * When the store is back, these counts are neither merged into it nor discarded: otherwise each of several short
 * outages would grant a new share.
 */
export class LocalFallback {
  readonly #memory: MemoryStore;
  readonly #clock: Clock;
  readonly #replicas: number;
  readonly #bans = new LRUCache<string, State>({ max: MAX_BANS });

  constructor({ clock, policy, replicas }: LocalFallbackOptions) {
    this.#clock = clock;
    this.#replicas = replicas;
    this.#memory = new MemoryStore({ clock, policy: { ...policy, graceMs: Infinity } });
  }

  /** Notes the ban that the shared store reported at `now`; null if it reported none. */
  note(quotaId: string, ban: BanView | null, now: Millis): void {
    if (ban === null) this.forgive(quotaId);
    else this.#bans.set(quotaId, stateOf(ban, now));
  }

  /** Forgets a key's ban. */
  forgive(quotaId: string): void {
    if (this.#bans.size > 0) this.#bans.delete(quotaId);
  }

  /** With `open`, requests are counted but never refused because of limits. */
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

  /** Room for at least one request, whatever its cost, if it fits into the full limits. */
  #shareOf({ minute, day, month }: Limits, cost: number): Limits {
    const least = Math.min(cost, minute);
    const shareOf = (limit: number) => Math.max(least, Math.floor(limit / this.#replicas));
    return {
      minute: shareOf(minute),
      day: shareOf(day),
      ...(month === undefined ? {} : { month: shareOf(month) }),
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

/** As a `State`, so that a clock correction applies to it as it does in the rule. */
function stateOf({ from, until, level, manual }: BanView, now: Millis): State {
  const ban = { banFrom: from, banUntil: until, banLevel: level, banManual: manual ? 1 : 0 } as const;
  return { ...initialState, ...ban, seen: now };
}

function refusal(usage: Usage, ban: BanView, cost: number): Decision {
  const full = windowsOf<WindowView>(usage).filter(({ view }) => view.remaining < cost);
  const retryAt = Math.max(ban.until, ...full.map(({ view }) => view.resetAt));
  const refused = { admitted: false, outcome: 'banned', retryAt, strikes: 0, banStarted: false } as const;
  return { ...usage, ban, degraded: true, ...refused };
}
