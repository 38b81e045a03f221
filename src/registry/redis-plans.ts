import type { RedisAccess, Timeouts } from './redis-access.ts';
import type { RedisNames } from './redis-names.ts';
import { readPlan } from './redis-records.ts';
import type { StoredPlan } from './registry.ts';

/** Plans as they are kept in Redis: reads, no rules. */
export class RedisPlans {
  readonly #redis: RedisAccess;
  readonly #names: RedisNames;
  readonly #timeouts: Timeouts;

  constructor(redis: RedisAccess, names: RedisNames, timeouts: Timeouts) {
    this.#redis = redis;
    this.#names = names;
    this.#timeouts = timeouts;
  }

  async areSeeded(): Promise<boolean> {
    return (await this.#redis.ask(this.#timeouts.change, (client) => client.exists(this.#names.seeded))) > 0;
  }

  async all(): Promise<StoredPlan[]> {
    const texts = await this.#redis.ask(this.#timeouts.change, (client) => client.hvals(this.#names.plans));
    return texts.map(readPlan).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async get(id: string): Promise<StoredPlan | null> {
    const text = await this.#redis.ask(this.#timeouts.lookUp, (client) => client.hget(this.#names.plans, id));
    return text === null ? null : readPlan(text);
  }
}
