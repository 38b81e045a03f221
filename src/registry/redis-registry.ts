import type { RedisClient } from '../redis/connection.ts';
import type { NewAuditEntry } from './audit-record.ts';
import { RedisAccess } from './redis-access.ts';
import type { Timeouts } from './redis-access.ts';
import { Announcements } from './redis-announcements.ts';
import { RedisAudit } from './redis-audit.ts';
import { Batches } from './redis-batches.ts';
import { RedisChanges } from './redis-changes.ts';
import { Committer } from './redis-committer.ts';
import { RedisKeys } from './redis-keys.ts';
import { redisNames } from './redis-names.ts';
import { RedisPlans } from './redis-plans.ts';
import type {
  AuditEntry,
  AuditFilter,
  Change,
  Invalidation,
  Key,
  KeyFilter,
  KeyPatch,
  NewKey,
  Page,
  PageRequest,
  Plan,
  Registry,
  StoredPlan,
  Successor,
} from './registry.ts';

export interface RedisRegistrySettings {
  /** Must not send a command again whose reply was lost: it may have been done. */
  readonly client: RedisClient;
  /** Another connection to the same Redis, for the subscription alone. */
  readonly subscriber: RedisClient;
  /** Tells installations on one Redis apart. */
  readonly prefix: string;
  readonly timeouts?: Partial<Timeouts>;
  /** How often to look whether an announcement was missed, ms. */
  readonly lookEvery?: number;
}

/**
 * Keys and plans in Redis, shared by all gateways of an installation. The clients stay open when it is closed.
 *
 * @throws StoreUnavailable (as a rejection) if Redis does not answer
 */
export async function createRedisRegistry(settings: RedisRegistrySettings): Promise<Registry> {
  const registry = new RedisRegistry(settings);
  try {
    await registry.listen();
  } catch (error) {
    await registry.close();
    throw error;
  }
  return registry;
}

/**
 * Every change is worked out here, by the rules that all adapters share, and made by one script that first checks that
 * what it was worked out on still holds; else it is worked out again. Because all of it is one call, it is atomic, also
 * with its audit entry and its announcement.
 */
class RedisRegistry implements Registry {
  readonly #plans: RedisPlans;
  readonly #keys: RedisKeys;
  readonly #audit: RedisAudit;
  readonly #changes: RedisChanges;
  readonly #announcements: Announcements;
  readonly #committer: Committer;
  readonly #batches: Batches;

  constructor({ client, subscriber, prefix, timeouts, lookEvery = 1000 }: RedisRegistrySettings) {
    const redis = new RedisAccess(client);
    const names = redisNames(prefix);
    const waits = { lookUp: 100, change: 5000, ...timeouts };
    this.#plans = new RedisPlans(redis, names, waits);
    this.#keys = new RedisKeys(redis, names, waits);
    this.#audit = new RedisAudit(redis, names, waits.change);
    this.#changes = new RedisChanges(names, this.#plans, this.#keys);
    this.#announcements = new Announcements(redis, subscriber, names, { timeout: waits.change, lookEvery }, (pending) =>
      this.#batches.sweep(pending),
    );
    this.#committer = new Committer(redis, this.#announcements, waits.change);
    const makers = { changes: this.#changes, committer: this.#committer, announcements: this.#announcements };
    this.#batches = new Batches(redis, names, makers, waits.change);
  }

  listen(): Promise<void> {
    return this.#announcements.subscribe();
  }

  seedPlans(plans: readonly Plan[], change: Change): Promise<boolean> {
    return this.#committer.make(() => this.#changes.seed(plans, change));
  }

  listPlans(): Promise<readonly StoredPlan[]> {
    return this.#plans.all();
  }

  getPlan(id: string): Promise<StoredPlan | null> {
    return this.#plans.get(id);
  }

  putPlan(plan: Plan, change: Change, expected?: number): Promise<StoredPlan> {
    return this.#committer.make(() => this.#changes.putPlan(plan, change, expected));
  }

  deletePlan(id: string, change: Change, expected?: number): Promise<void> {
    return this.#committer.make(() => this.#changes.deletePlan(id, change, expected));
  }

  async createKey(key: NewKey, change: Change): Promise<Key> {
    const [created] = await this.#committer.make(() => this.#changes.createKeys([key], change));
    return created!;
  }

  createKeys(keys: readonly NewKey[], change: Change): Promise<void> {
    return this.#batches.create(keys, change);
  }

  async getKey(id: string): Promise<Key | null> {
    return (await this.#keys.get(id))?.key ?? null;
  }

  findKeyByHash(hash: string): Promise<Key | null> {
    return this.#keys.findByHash(hash);
  }

  listKeys(filter: KeyFilter, page: PageRequest): Promise<Page<Key>> {
    return this.#keys.list(filter, page);
  }

  updateKey(id: string, patch: KeyPatch, change: Change, expected?: number): Promise<Key> {
    return this.#committer.make(() => this.#changes.updateKey(id, patch, change, expected));
  }

  rotateKey(id: string, successor: Successor, oldExpiresAt: number, change: Change): Promise<Key> {
    return this.#committer.make(() => this.#changes.rotateKey(id, successor, oldExpiresAt, change));
  }

  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    return this.#keys.touch(lastUsed);
  }

  async appendAudit(entry: NewAuditEntry): Promise<void> {
    await this.#committer.make(async () => this.#changes.note(entry));
  }

  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.#audit.list(filter, page);
  }

  onInvalidation(listener: (what: Invalidation) => void): void {
    this.#announcements.onInvalidation(listener);
  }

  async close(): Promise<void> {
    this.#announcements.close();
  }
}
