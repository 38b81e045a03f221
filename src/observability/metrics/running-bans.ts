import { LRUCache } from 'lru-cache';
import type { BanView } from '../../admission/bans.ts';

const MAX_BANS = 100_000;

/** The active bans this gateway has seen, with the time each ends (ms since the Unix epoch). */
export class RunningBans {
  readonly #until = new LRUCache<string, number>({ max: MAX_BANS });

  note(quotaId: string, ban: BanView | null): void {
    if (ban !== null) this.#until.set(quotaId, ban.until);
    else if (this.#until.size > 0) this.#until.delete(quotaId);
  }

  /** Number of active bans. Drops those that have ended. */
  count(now: number): number {
    for (const [quotaId, until] of this.#until.entries()) if (until <= now) this.#until.delete(quotaId);
    return this.#until.size;
  }
}
