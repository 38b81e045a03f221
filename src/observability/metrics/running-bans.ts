import { LRUCache } from 'lru-cache';
import type { BanView } from '../../admission/decide.ts';

const MOST = 100_000;

/** The bans that this gateway has seen: when each ends, in ms since the Unix epoch. */
export class RunningBans {
  readonly #until = new LRUCache<string, number>({ max: MOST });

  note(quotaId: string, ban: BanView | null): void {
    if (ban !== null) this.#until.set(quotaId, ban.until);
    else if (this.#until.size > 0) this.#until.delete(quotaId);
  }

  /** Forgets those that are over. */
  count(now: number): number {
    for (const [quotaId, until] of this.#until.entries()) if (until <= now) this.#until.delete(quotaId);
    return this.#until.size;
  }
}
