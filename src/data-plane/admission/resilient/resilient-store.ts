import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Awaitable } from '../../../base/awaitable.ts';
import { noStoreMetrics, type StoreMetrics } from '../../../telemetry/metrics/store-metrics.ts';
import { Breaker } from './breaker.ts';
import { type Failure, RedisUnavailable } from '../../../storage/redis/redis-failure.ts';
import type { BanPolicy } from '../ban-rules.ts';
import type { BanView } from '../ban-rules.ts';
import type { BanChange } from '../ban-source.ts';
import type { Decision } from '../decide.ts';
import type { Limits, WindowName } from '../../../domain/quota-limits.ts';
import type { Usage } from '../quota-usage.ts';
import type { Outage } from './outage.ts';
import { LocalFallback } from './local-fallback.ts';
import type { RedisStore } from '../redis/redis-store.ts';
import type { AdmissionRequest, AdmissionStore } from '../store.ts';

interface ResilientStoreOptions {
  readonly store: RedisStore;
  readonly policy: BanPolicy;
  readonly replicas: number;
  readonly logger: Logger;
  readonly metrics?: StoreMetrics;
  /** Notified when a server becomes unavailable and when it is back. */
  readonly outage: Outage;
}

/** Maximum number of broken keys to remember, so that each key is logged only once. */
const MAX_LOGGED_KEYS = 1000;

/**
 * Admission that continues while Redis is down. `onStoreFailure` of each plan then decides what happens to a request. No
 * request waits longer than the command timeout, and while Redis is known to be down, no request waits at all.
 */
export class ResilientStore implements AdmissionStore {
  readonly #store: RedisStore;
  readonly #fallback: LocalFallback;
  readonly #logger: Logger;
  readonly #metrics: StoreMetrics;
  readonly #outage: Outage;
  /** One breaker per server of a cluster. */
  readonly #breakers = new Map<string, Breaker>();
  readonly #loggedKeys = new LRUCache<string, true>({ max: MAX_LOGGED_KEYS });
  #lastError: RedisUnavailable | null = null;

  constructor({ store, policy, replicas, logger, metrics = noStoreMetrics, outage }: ResilientStoreOptions) {
    this.#store = store;
    this.#outage = outage;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#fallback = new LocalFallback({ clock: () => store.now(), policy, replicas });
  }

  /** The reason why this gateway decides locally, at least for some keys; null while all limits are exact. */
  get degraded(): Failure | null {
    for (const { failure } of this.#breakers.values()) if (failure !== null) return failure;
    return null;
  }

  admit(request: AdmissionRequest): Awaitable<Decision> {
    const { quotaId } = request;
    const breaker = this.#findBreaker(quotaId);
    if (breaker.failure !== null) return this.#admitDegraded(request, breaker.failure);
    const sentAt = performance.now();
    return this.#store.admit(request).then(
      (decision) => {
        breaker.recordSuccess();
        this.#fallback.bans.note(quotaId, decision.ban, decision.now);
        return decision;
      },
      (error: unknown) => this.#admitDegraded(request, this.#recordFailure(error, quotaId, breaker, sentAt)),
    );
  }

  inspect(quotaId: string, limits: Limits): Awaitable<Usage> {
    const breaker = this.#findBreaker(quotaId);
    if (breaker.failure !== null) return this.#fallback.inspect(quotaId, limits);
    const sentAt = performance.now();
    return this.#store.inspect(quotaId, limits).catch((error: unknown) => {
      this.#recordFailure(error, quotaId, breaker, sentAt);
      return this.#fallback.inspect(quotaId, limits);
    });
  }

  async ban(quotaId: string, durationMs: number): Promise<BanView> {
    const ban = await this.#runInSharedStore(quotaId, () => this.#store.ban(quotaId, durationMs));
    this.#fallback.bans.note(quotaId, ban, ban.from);
    return ban;
  }

  async lift(quotaId: string): Promise<BanView | null> {
    const ban = await this.#runInSharedStore(quotaId, () => this.#store.lift(quotaId));
    if (ban === null) this.#fallback.bans.note(quotaId, null, this.#store.now());
    else this.learnBan({ kind: 'lifted', quotaId, from: ban.from });
    return ban;
  }

  /** Records a ban or a lift by any gateway, so that it applies while Redis is down. */
  learnBan(change: BanChange): void {
    this.#fallback.bans.learn(change);
  }

  reset(quotaId: string, window?: WindowName): Promise<void> {
    return this.#runInSharedStore(quotaId, () => this.#store.reset(quotaId, window));
  }

  async close(): Promise<void> {
    for (const breaker of this.#breakers.values()) breaker.stop();
    this.#outage.close();
    await this.#store.close();
  }

  #admitDegraded(request: AdmissionRequest, failure: Failure): Awaitable<Decision> {
    const { onStoreFailure = 'local' } = request;
    if (onStoreFailure === 'closed') return Promise.reject(new RedisUnavailable(failure));
    return this.#fallback.admit(request, onStoreFailure === 'open');
  }

  /** Carries out an operator's action in the shared store, or not at all. */
  async #runInSharedStore<Result>(quotaId: string, work: () => Promise<Result>): Promise<Result> {
    const breaker = this.#findBreaker(quotaId);
    if (breaker.failure !== null) throw new RedisUnavailable(breaker.failure);
    const sentAt = performance.now();
    try {
      return await work();
    } catch (error) {
      throw new RedisUnavailable(this.#recordFailure(error, quotaId, breaker, sentAt));
    }
  }

  /** Records a failure of Redis. @throws any other error unchanged */
  #recordFailure(error: unknown, quotaId: string, breaker: Breaker, sentAt: number): Failure {
    if (!(error instanceof RedisUnavailable)) throw error;
    const { failure } = error;
    // Requests that were sent together fail with the same error, which counts only once.
    if (error === this.#lastError) return failure;
    this.#lastError = error;
    this.#metrics.error(failure.kind);
    // Only this key is broken, not the server, so the counts of all other keys stay exact.
    if (failure.kind === 'bad_data') this.#logFaultyKey(quotaId, failure);
    // Redis is slow but still works.
    else if (failure.kind === 'timeout' && this.#store.hasRepliedSince(quotaId, sentAt)) breaker.recordFailure(failure);
    else breaker.open(failure);
    return failure;
  }

  #logFaultyKey(quotaId: string, failure: Failure): void {
    if (this.#loggedKeys.has(quotaId)) return;
    this.#loggedKeys.set(quotaId, true);
    this.#logger.error({ failure: failure.kind, reason: failure.reason, quotaId }, 'cannot use the counters of a key');
  }

  #findBreaker(quotaId: string): Breaker {
    const shard = this.#store.findShard(quotaId);
    let breaker = this.#breakers.get(shard);
    if (breaker === undefined) {
      const logger = shard === '' ? this.#logger : this.#logger.child({ node: shard });
      breaker = new Breaker({
        probe: () => this.#store.probe(quotaId),
        onOpen: ({ kind, reason }) => {
          this.#metrics.breaker('open');
          this.#outage.begin(shard, reason);
          logger.warn({ failure: kind, reason }, 'limits are not exact: the shared counters are unavailable');
        },
        onClose: (openForMs) => {
          this.#metrics.breaker('closed');
          this.#outage.end(shard);
          logger.info({ seconds: Math.round(openForMs) / 1000 }, 'limits are exact again');
        },
      });
      this.#breakers.set(shard, breaker);
    }
    return breaker;
  }
}
