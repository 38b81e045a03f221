import { Cluster, Command } from 'ioredis';
import type { RedisConnection } from '../redis/connection.ts';
import { noStoreMetrics, type StoreMetrics } from '../observability/store-metrics.ts';
import { timedOut } from '../redis/failure.ts';
import { answeredWithin, RedisUnavailable } from '../redis/unavailable.ts';
import type { BanPolicy, BanView, Decision, Limits, Millis, Usage } from './decide.ts';
import { isTooLate, readBan, readDecision, readUsage, timeOf } from './redis-reply.ts';
import { defineScripts, type Script, type Scripts } from './redis-scripts.ts';
import { StoreClock } from './store-clock.ts';
import type { AdmissionRequest, AdmissionStore } from './store.ts';

export interface RedisStoreOptions {
  /** Stays its owner's to close. */
  readonly connection: RedisConnection;
  /** Of every key: keeps installations on one server apart. */
  readonly prefix: string;
  readonly policy: BanPolicy;
  /** ms that a call waits for its answer. */
  readonly timeout: number;
  readonly metrics?: StoreMetrics;
  /** For tests: the Lua source of a clock that they can set. */
  readonly clock?: string;
}

/** For what needs no deadline because it changes nothing. */
const WITHOUT_DEADLINE: readonly (keyof Scripts)[] = ['inspect', 'probe'];

/**
 * Admission in Redis, shared by any number of gateways: one key a quota, one round trip a request.
 *
 * With every call goes a deadline, in the time of the server's clock: a script that runs when its caller has given up
 * does nothing. What cannot be ruled out is that one runs in time and its answer is lost: that call is charged, and
 * rejected all the same.
 */
export class RedisStore implements AdmissionStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #timeout: number;
  readonly #scripts: Scripts;
  readonly #metrics: StoreMetrics;
  readonly #clocks = new Map<string, StoreClock>();
  #lastClock = new StoreClock();

  constructor({ connection, prefix, policy, timeout, metrics = noStoreMetrics, clock }: RedisStoreOptions) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.#timeout = timeout;
    this.#metrics = metrics;
    this.#scripts = defineScripts(connection.client, policy, clock);
  }

  async admit({ quotaId, cost, limits, mode }: AdmissionRequest): Promise<Decision> {
    const shadow = mode === 'shadow' ? 1 : 0;
    const reply = await this.#run('admit', quotaId, cost, limits.minute, limits.day, shadow);
    return readDecision(reply, cost, limits);
  }

  async inspect(quotaId: string, limits: Limits): Promise<Usage> {
    return readUsage(await this.#run('inspect', quotaId), limits);
  }

  async ban(quotaId: string, durationMs: number): Promise<BanView> {
    const ban = readBan(await this.#run('ban', quotaId, durationMs));
    if (ban === null) throw new RangeError('a ban must last for a millisecond at least');
    return ban;
  }

  async lift(quotaId: string): Promise<BanView | null> {
    return readBan(await this.#run('lift', quotaId));
  }

  async reset(quotaId: string): Promise<void> {
    await this.#run('reset', quotaId);
  }

  /** Resolves if the server that keeps this quota takes writes. */
  async probe(quotaId: string): Promise<void> {
    await this.#run('probe', quotaId);
  }

  /** Which server keeps a quota: they fail one by one. */
  shardOf(quotaId: string): string {
    const { client } = this.#connection;
    if (!(client instanceof Cluster)) return '';
    const slot = new Command('GET', [this.#keyOf('q', quotaId)]).getSlot();
    return client.slots[slot ?? 0]?.[0] ?? '';
  }

  /** Whether the server that keeps this quota has answered anything since that local time. */
  hasAnsweredSince(quotaId: string, local: number): boolean {
    return this.#clockOf(this.shardOf(quotaId)).answeredAt > local;
  }

  /** About what the store's clock says, also while it does not answer. */
  now(): Millis {
    return this.#lastClock.now() ?? Date.now();
  }

  async close(): Promise<void> {}

  async #run(name: keyof Scripts, quotaId: string, ...args: number[]): Promise<number[]> {
    const giveUpAt = performance.now() + this.#timeout;
    const key = this.#keyOf(name === 'probe' ? 'probe' : 'q', quotaId);
    const clock = this.#clockOf(this.shardOf(quotaId));
    const send = () => {
      // The servers of a cluster tell about the same time: of one that is new, enough to begin with.
      const known = clock.isKnown ? clock : this.#lastClock;
      const deadline = WITHOUT_DEADLINE.includes(name) ? [] : [known.certainlyPast(giveUpAt)];
      return this.#send(this.#scripts[name], clock, giveUpAt, key, [...deadline, ...args]);
    };
    const reply = await send();
    if (!isTooLate(reply)) return reply;
    // The clock was not known yet, or has been set: now it is known. Nothing was done, so this is no second time.
    const again = performance.now() < giveUpAt ? await send() : reply;
    if (isTooLate(again)) throw new RedisUnavailable(timedOut);
    return again;
  }

  async #send(script: Script, clock: StoreClock, giveUpAt: number, key: string, args: number[]): Promise<number[]> {
    const sentAt = performance.now();
    const answer = script(key, ...args).then((reply) => {
      clock.learn(timeOf(reply), sentAt, performance.now());
      this.#lastClock = clock;
      return reply;
    });
    try {
      return await answeredWithin(this.#connection, giveUpAt - sentAt, answer);
    } finally {
      this.#metrics.latency((performance.now() - sentAt) / 1000);
    }
  }

  /** The braces make Redis Cluster keep all that belongs to a quota on one node. */
  #keyOf(kind: 'q' | 'probe', quotaId: string): string {
    return `${this.#prefix}:${kind}:{${quotaId}}`;
  }

  #clockOf(shard: string): StoreClock {
    let clock = this.#clocks.get(shard);
    if (clock === undefined) {
      clock = new StoreClock();
      this.#clocks.set(shard, clock);
    }
    return clock;
  }
}
