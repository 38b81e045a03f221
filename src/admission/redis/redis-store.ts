import { Cluster, Command } from 'ioredis';
import type { RedisConnection } from '../../redis/connection.ts';
import { noStoreMetrics, type StoreMetrics } from '../../observability/store-metrics.ts';
import { explain, timedOut } from '../../redis/failure.ts';
import { answeredWithin, RedisUnavailable } from '../../redis/unavailable.ts';
import { TurnBatch } from '../../base/turn-batch.ts';
import type { BanPolicy, BanView, Decision, Limits, Millis, Usage } from '../decide.ts';
import {
  type BatchReply,
  isTooLate,
  readBan,
  readBatch,
  readDecision,
  readUsage,
  type Reply,
  timeOf,
} from './redis-reply.ts';
import { defineScripts, type Scripts } from './redis-scripts.ts';
import { StoreClock } from './store-clock.ts';
import type { AdmissionRequest, AdmissionStore } from '../store.ts';
import type { Waiting } from '../waiting.ts';

export interface RedisStoreOptions {
  /** Its owner closes it. */
  readonly connection: RedisConnection;
  /** Prefix of every key: separates installations that share a server. */
  readonly prefix: string;
  readonly policy: BanPolicy;
  /** How long a call waits for its answer. */
  readonly timeoutMs: number;
  readonly metrics?: StoreMetrics;
  /** For tests: the Lua source of a clock they can set. */
  readonly clock?: string;
}

/** Scripts that need no deadline because they change nothing of a quota. */
const WITHOUT_DEADLINE: readonly (keyof Scripts)[] = ['inspect', 'probe'];

type ReplyOf<Name extends keyof Scripts> = Awaited<ReturnType<Scripts[Name]>>;

/** The input of a script call. */
interface Call {
  readonly keys: readonly string[];
  readonly args: readonly (number | string)[];
  /** By `performance.now()`. */
  readonly giveUpAt: number;
}

/**
 * Admission in Redis, shared by any number of gateways: one Redis key per quota, and one round trip for all requests
 * that arrive together.
 *
 * Every call carries a deadline by the server's clock: a script that runs after its caller has given up does nothing.
 * One case cannot be ruled out: the script runs in time but its answer is lost. That call is charged, yet
 * rejected.
 */
export class RedisStore implements AdmissionStore {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #scripts: Scripts;
  readonly #metrics: StoreMetrics;
  readonly #arrived = new TurnBatch<Waiting>((batch) => this.#decideAll(batch));
  readonly #clocks = new Map<string, StoreClock>();
  #lastClock = new StoreClock();

  constructor({ connection, prefix, policy, timeoutMs, metrics = noStoreMetrics, clock }: RedisStoreOptions) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.#timeoutMs = timeoutMs;
    this.#metrics = metrics;
    this.#scripts = defineScripts(connection.client, policy, clock);
  }

  admit(request: AdmissionRequest): Promise<Decision> {
    return new Promise((resolve, reject) => this.#arrived.add({ request, resolve, reject }));
  }

  async inspect(quotaId: string, limits: Limits): Promise<Usage> {
    return readUsage(await this.#ask('inspect', quotaId), limits);
  }

  async ban(quotaId: string, durationMs: number): Promise<BanView> {
    const ban = readBan(await this.#ask('ban', quotaId, durationMs));
    if (ban === null) throw new RangeError('a ban must last for a millisecond at least');
    return ban;
  }

  async lift(quotaId: string): Promise<BanView | null> {
    return readBan(await this.#ask('lift', quotaId));
  }

  async reset(quotaId: string): Promise<void> {
    await this.#ask('reset', quotaId);
  }

  /** Resolves if the server holding this quota takes writes. */
  async probe(quotaId: string): Promise<void> {
    await this.#ask('probe', quotaId);
  }

  /** Which server holds a quota: servers of a cluster fail one by one. */
  shardOf(quotaId: string): string {
    const { client } = this.#connection;
    if (!(client instanceof Cluster)) return '';
    const slot = new Command('GET', [this.#keyOf('q', quotaId)]).getSlot();
    return client.slots[slot ?? 0]?.[0] ?? '';
  }

  /** Whether the server holding this quota has answered anything since that local time (`performance.now()`). */
  hasAnsweredSince(quotaId: string, localTime: number): boolean {
    return this.#clockOf(this.shardOf(quotaId)).answeredAt > localTime;
  }

  /** Approximate time by the store's clock, also while the store does not answer. */
  now(): Millis {
    return this.#lastClock.now() ?? Date.now();
  }

  async close(): Promise<void> {}

  #decideAll(batch: readonly Waiting[]): void {
    if (!(this.#connection.client instanceof Cluster)) return void this.#decide(batch);
    // In a cluster a call must stay within one slot, and hardly any two quotas share one.
    const byQuota = Map.groupBy(batch, ({ request }) => request.quotaId);
    for (const waiting of byQuota.values()) void this.#decide(waiting);
  }

  /** Each request gets its own decision; if the whole call fails, all get the same error. */
  async #decide(waiting: readonly Waiting[]): Promise<void> {
    const keys: string[] = [];
    const args: string[] = [];
    for (const { request } of waiting) {
      const { quotaId, cost, limits, mode } = request;
      keys.push(this.#keyOf('q', quotaId));
      args.push(`${cost} ${limits.minute} ${limits.day} ${mode === 'shadow' ? 1 : 0}`);
    }
    const shard = this.shardOf(waiting[0]?.request.quotaId ?? '');
    try {
      const giveUpAt = performance.now() + this.#timeoutMs;
      const replies = readBatch(await this.#run('admit', shard, { keys, args, giveUpAt }));
      for (const [index, each] of waiting.entries()) settle(each, replies[index]);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  #ask(name: Exclude<keyof Scripts, 'admit'>, quotaId: string, ...args: number[]): Promise<Reply> {
    const keys = [this.#keyOf(name === 'probe' ? 'probe' : 'q', quotaId)];
    return this.#run(name, this.shardOf(quotaId), { keys, args, giveUpAt: performance.now() + this.#timeoutMs });
  }

  async #run<Name extends keyof Scripts>(name: Name, shard: string, call: Call): Promise<ReplyOf<Name>> {
    const clock = this.#clockOf(shard);
    const send = () => {
      // The clocks of a cluster's servers roughly agree: good enough for the first call to a new one.
      const known = clock.isKnown ? clock : this.#lastClock;
      const deadline = WITHOUT_DEADLINE.includes(name) ? [] : [known.certainlyPast(call.giveUpAt)];
      const { keys, args } = call;
      const answer = this.#scripts[name](keys.length, ...keys, ...deadline, ...args) as Promise<ReplyOf<Name>>;
      return this.#answer(answer, clock, call.giveUpAt);
    };
    const reply = await send();
    if (!isTooLate(reply)) return reply;
    // The server's clock was not known yet or has been set; now it is known. Nothing was done, so this repeats
    // nothing.
    const again = performance.now() < call.giveUpAt ? await send() : reply;
    if (isTooLate(again)) throw new RedisUnavailable(timedOut);
    return again;
  }

  async #answer<R extends Reply | BatchReply>(answer: Promise<R>, clock: StoreClock, giveUpAt: number): Promise<R> {
    const sentAt = performance.now();
    const heard = answer.then((reply) => {
      clock.learn(timeOf(reply), sentAt, performance.now());
      this.#lastClock = clock;
      return reply;
    });
    try {
      return await answeredWithin(this.#connection, giveUpAt - sentAt, heard);
    } finally {
      this.#metrics.latency((performance.now() - sentAt) / 1000);
    }
  }

  /** The braces (hash tag) make Redis Cluster keep everything of a quota on one node. */
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

function settle({ request, resolve, reject }: Waiting, reply: Reply | Error | undefined): void {
  if (reply === undefined || Error.isError(reply)) reject(new RedisUnavailable(explain(reply)));
  else resolve(readDecision(reply, request.cost, request.limits));
}
