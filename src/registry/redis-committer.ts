import { setTimeout as sleep } from 'node:timers/promises';
import { loadScript } from './redis-access.ts';
import type { RedisAccess } from './redis-access.ts';
import type { Announcements } from './redis-announcements.ts';
import { keyTaken } from './redis-changes.ts';
import type { Draft } from './redis-changes.ts';
import { RegistryError } from './registry.ts';

const COMMIT = loadScript('redis-commit.lua');
/** Each one that fails is one that somebody else made instead. */
const ATTEMPTS = 30;
const LONGEST_PAUSE_MS = 16;

/** Makes changes: all of one, with its audit entries and its announcement, or nothing of it. */
export class Committer {
  readonly #redis: RedisAccess;
  readonly #announcements: Announcements;
  readonly #timeout: number;

  /** @param timeout ms */
  constructor(redis: RedisAccess, announcements: Announcements, timeout: number) {
    this.#redis = redis;
    this.#announcements = announcements;
    this.#timeout = timeout;
  }

  /**
   * @param draft called again where what it was worked out on has changed meanwhile
   * @throws RegistryError `conflict` if that happens over and over; whatever the draft says
   */
  async make<T>(draft: () => Promise<Draft<T>>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const made = await this.#tryOnce(await draft());
      if (made !== null) return made.result;
      // Uneven, so that those who compete do not meet again.
      await sleep(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
    }
    throw new RegistryError('conflict', 'others keep changing the same: read it again, then repeat the change');
  }

  /** Null if it must be worked out again. */
  async #tryOnce<T>({ commit, result, used }: Draft<T>): Promise<{ result: T } | null> {
    if (commit.isEmpty) return { result: result(() => 0) };
    return this.#announcements.making(async (head) => {
      const { keys, args } = commit.call(head);
      const [outcome, first] = (await this.#redis.run(this.#timeout, COMMIT, keys, args)) as string[];
      if (outcome === 'changed') return { result: null, touched: [] };
      if (outcome === 'taken') throw keyTaken();
      if (outcome === 'used' && used !== undefined) throw used;
      return { result: { result: result((entry) => Number(first) + entry) }, touched: commit.touched };
    });
  }
}
