import type { Clock } from '../../../base/time.ts';
import type { BanPolicy } from '../ban-rules.ts';
import type { BanView } from '../ban-rules.ts';
import type { Decision } from '../decide.ts';
import { type Limits, listWindows } from '../../../domain/quota-limits.ts';
import type { Usage, WindowView } from '../quota-usage.ts';
import { MemoryStore } from '../embedded/memory-store.ts';
import type { AdmissionRequest } from '../store.ts';
import { KnownBans } from './known-bans.ts';

interface LocalFallbackOptions {
  /** Estimates the shared store's time. */
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** Number of gateways that share the limits. */
  readonly replicas: number;
}

/**
 * Decides for one gateway while the shared store is unavailable, by the same rule, with the gateway's share of the
 * limits. Known bans apply. It starts no bans, because one gateway sees only its share of the refusals.
 *
 * When the store is back, these counts are not added to the store's. They are kept, because otherwise each of several
 * short outages would grant a new share.
 */
export class LocalFallback {
  readonly bans: KnownBans;
  readonly #memory: MemoryStore;
  readonly #replicas: number;

  constructor({ clock, policy, replicas }: LocalFallbackOptions) {
    this.bans = new KnownBans(clock);
    this.#replicas = replicas;
    this.#memory = new MemoryStore({ clock, policy: { ...policy, graceMs: Infinity } });
  }

  /** @param open whether requests are only counted, and never refused because of limits */
  admit({ quotaId, cost, limits, mode }: AdmissionRequest, open: boolean): Decision {
    const share = this.#computeShares(limits, cost);
    const ban = this.bans.find(quotaId);
    if (ban !== null && (mode === 'enforce' || ban.manual)) {
      return createBanDecision(this.#memory.inspect(quotaId, share), ban, cost);
    }
    const decision = this.#memory.admit({ quotaId, cost, limits: share, mode: open ? 'shadow' : mode });
    return { ...decision, ban, degraded: true };
  }

  inspect(quotaId: string, limits: Limits): Usage {
    const usage = this.#memory.inspect(quotaId, this.#computeShares(limits, 1));
    return { ...usage, ban: this.bans.find(quotaId), degraded: true };
  }

  /**
   * Computes this gateway's share of the limits. It has room for at least one request of this cost, if the full limits
   * do.
   */
  #computeShares({ minute, day, month }: Limits, cost: number): Limits {
    const least = Math.min(cost, minute);
    const computeShare = (limit: number) => Math.max(least, Math.floor(limit / this.#replicas));
    return {
      minute: computeShare(minute),
      day: computeShare(day),
      ...(month === undefined ? {} : { month: computeShare(month) }),
    };
  }
}

function createBanDecision(usage: Usage, ban: BanView, cost: number): Decision {
  const exhaustedWindows = listWindows<WindowView>(usage).filter(({ view }) => view.remaining < cost);
  const retryAt = Math.max(ban.until, ...exhaustedWindows.map(({ view }) => view.resetAt));
  const refused = { admitted: false, outcome: 'banned', retryAt, strikes: 0, banStarted: false } as const;
  return { ...usage, ban, degraded: true, ...refused };
}
