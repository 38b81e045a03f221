import type { BanView } from '../admission/bans.ts';

const MAX_BANS = 100_000;

/** The active bans this gateway has seen, with the time each ends (ms since the Unix epoch). */
export class RunningBans {
  /** In the order of the last change, so that the first is the one to drop when there are too many. */
  readonly #until = new Map<string, number>();

  note(quotaId: string, ban: BanView | null): void {
    if (this.#until.size > 0) this.#until.delete(quotaId);
    if (ban === null) return;
    this.#until.set(quotaId, ban.until);
    if (this.#until.size > MAX_BANS) this.#until.delete(this.#until.keys().next().value ?? '');
  }

  /** Number of active bans. Drops those that have ended. */
  count(now: number): number {
    for (const [quotaId, until] of this.#until) if (until <= now) this.#until.delete(quotaId);
    return this.#until.size;
  }
}
