import type { Millis } from '../../../base/time.ts';
import { Cluster, Command } from 'ioredis';
import { EventLoopBatch } from '../../../base/event-loop-batch.ts';
import { explainRedisError, RedisUnavailable } from '../../../storage/redis/redis-failure.ts';
import type { RedisConnection } from '../../../storage/redis/redis-connection.ts';
import { noStoreMetrics, type StoreMetrics } from '../../../telemetry/metrics/store-metrics.ts';
import type { BanPolicy } from '../ban-rules.ts';
import type { BanView } from '../ban-rules.ts';
import type { Decision } from '../decide.ts';
import { type Limits, WINDOW_NAMES, type WindowName } from '../../../domain/quota-limits.ts';
import type { Usage } from '../quota-usage.ts';
import { readBan, readBatch, readDecision, readUsage, type Reply } from './redis-reply.ts';
import { defineScripts, type Scripts } from './redis-scripts.ts';
import { ScriptCalls } from './script-calls.ts';
import type { AdmissionRequest, AdmissionStore, PendingRequest } from '../store.ts';

interface RedisStoreOptions {
  /** The caller closes it. */
  readonly connection: RedisConnection;
  /** Prefix of every key, so that installations can share a server. */
  readonly prefix: string;
  readonly policy: BanPolicy;
  /** How long a call waits for the reply. */
  readonly timeoutMs: number;
  readonly metrics?: StoreMetrics;
  /** For tests: the Lua source of a clock that tests can set. */
  readonly clock?: string;
}

/**
 * Admission in Redis, shared by any number of gateways. A quota has one Redis key, and another for its month. All
 * requests that arrive together take one round trip.
 *
 * A call charges nothing after its caller has given up. `ScriptCalls` describes the one exception, in which a call is
 * rejected although it was charged.
 */
export class RedisStore implements AdmissionStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #calls: ScriptCalls;
  readonly #admissions = new EventLoopBatch<PendingRequest>((batch) => this.#decideBatch(batch));

  constructor({ connection, prefix, policy, timeoutMs, metrics = noStoreMetrics, clock }: RedisStoreOptions) {
    this.#connection = connection;
    this.#prefix = prefix;
    const scripts = defineScripts(connection.client, policy, clock);
    this.#calls = new ScriptCalls({ connection, scripts, timeoutMs, metrics });
  }

  admit(request: AdmissionRequest): Promise<Decision> {
    return new Promise((resolve, reject) => this.#admissions.add({ request, resolve, reject }));
  }

  async inspect(quotaId: string, limits: Limits): Promise<Usage> {
    return readUsage(await this.#runScript('inspect', quotaId, limits.month === undefined ? 0 : 1), limits);
  }

  async ban(quotaId: string, durationMs: number): Promise<BanView> {
    const ban = readBan(await this.#runScript('ban', quotaId, durationMs));
    if (ban === null) throw new RangeError('a ban must last for a millisecond at least');
    return ban;
  }

  async lift(quotaId: string): Promise<BanView | null> {
    return readBan(await this.#runScript('lift', quotaId));
  }

  async reset(quotaId: string, window?: WindowName): Promise<void> {
    await this.#runScript('reset', quotaId, window === undefined ? 0 : WINDOW_NAMES.indexOf(window) + 1);
  }

  /** Resolves if the server that stores this quota accepts writes. */
  async probe(quotaId: string): Promise<void> {
    await this.#runScript('probe', quotaId);
  }

  /** Finds the name of the server that stores a quota. The servers of a cluster fail independently. */
  findShard(quotaId: string): string {
    const { client } = this.#connection;
    if (!(client instanceof Cluster)) return '';
    const slot = new Command('GET', [this.#formatKey('q', quotaId)]).getSlot();
    return client.slots[slot ?? 0]?.[0] ?? '';
  }

  /** Whether the server that stores this quota has sent any reply since this local time (`performance.now()`). */
  hasRepliedSince(quotaId: string, localTime: number): boolean {
    return this.#calls.hasRepliedSince(this.findShard(quotaId), localTime);
  }

  /** See `ScriptCalls.now`. */
  now(): Millis {
    return this.#calls.now();
  }

  async close(): Promise<void> {}

  #decideBatch(batch: readonly PendingRequest[]): void {
    if (!(this.#connection.client instanceof Cluster)) return void this.#decide(batch);
    // In a cluster a call must stay within one slot, and two quotas rarely share a slot.
    const byQuota = Map.groupBy(batch, ({ request }) => request.quotaId);
    for (const pendingRequests of byQuota.values()) void this.#decide(pendingRequests);
  }

  /** Each request gets its own decision; if the whole call fails, all requests get the same error. */
  async #decide(pendingRequests: readonly PendingRequest[]): Promise<void> {
    const keys: string[] = [];
    const args: string[] = [];
    for (const { request } of pendingRequests) {
      const { quotaId, cost, limits, mode } = request;
      const terms = `${cost} ${limits.minute} ${limits.day} ${mode === 'shadow' ? 1 : 0}`;
      keys.push(this.#formatKey('q', quotaId));
      if (limits.month === undefined) args.push(terms);
      else {
        keys.push(this.#formatKey('m', quotaId));
        args.push(`${terms} ${limits.month}`);
      }
    }
    const shard = this.findShard(pendingRequests[0]?.request.quotaId ?? '');
    try {
      const replies = readBatch(await this.#calls.run('admit', shard, { keys, args }));
      for (const [index, pendingRequest] of pendingRequests.entries()) settleRequest(pendingRequest, replies[index]);
    } catch (error) {
      for (const { reject } of pendingRequests) reject(error);
    }
  }

  #runScript(name: Exclude<keyof Scripts, 'admit'>, quotaId: string, ...args: number[]): Promise<Reply> {
    const keys =
      name === 'probe'
        ? [this.#formatKey('probe', quotaId)]
        : [this.#formatKey('q', quotaId), this.#formatKey('m', quotaId)];
    return this.#calls.run(name, this.findShard(quotaId), { keys, args });
  }

  /** Formats a key. Its braces (hash tag) make Redis Cluster store all keys of a quota on the same node. */
  #formatKey(kind: 'q' | 'm' | 'probe', quotaId: string): string {
    return `${this.#prefix}:${kind}:{${quotaId}}`;
  }
}

function settleRequest({ request, resolve, reject }: PendingRequest, reply: Reply | Error | undefined): void {
  if (reply === undefined || Error.isError(reply)) reject(new RedisUnavailable(explainRedisError(reply)));
  else resolve(readDecision(reply, request.cost, request.limits));
}
