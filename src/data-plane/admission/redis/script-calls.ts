import type { Millis } from '../../../base/time.ts';
import { TIMEOUT_FAILURE, awaitResponse, RedisUnavailable } from '../../../storage/redis/redis-failure.ts';
import type { RedisConnection } from '../../../storage/redis/redis-connection.ts';
import type { StoreMetrics } from '../../../telemetry/metrics/store-metrics.ts';
import { type BatchReply, isTooLate, type Reply, readTime } from './redis-reply.ts';
import type { Scripts } from './redis-scripts.ts';
import { StoreClock } from './store-clock.ts';

interface ScriptCallsOptions {
  readonly connection: RedisConnection;
  readonly scripts: Scripts;
  /** How long a call waits for the reply. */
  readonly timeoutMs: number;
  readonly metrics: StoreMetrics;
}

/** The input of a script. */
interface Input {
  readonly keys: readonly string[];
  readonly args: readonly (number | string)[];
}

/** Scripts that need no deadline because they do not change a quota. */
const WITHOUT_DEADLINE: readonly (keyof Scripts)[] = ['inspect', 'probe'];

type ReplyOf<Name extends keyof Scripts> = Awaited<ReturnType<Scripts[Name]>>;

/**
 * Calls scripts, each with a deadline by the server's clock. A script that runs after its deadline does nothing, because
 * its caller has given up. One case cannot be ruled out: the script runs in time, but its reply is lost.
 */
export class ScriptCalls {
  readonly #connection: RedisConnection;
  readonly #scripts: Scripts;
  readonly #timeoutMs: number;
  readonly #metrics: StoreMetrics;
  readonly #clocks = new Map<string, StoreClock>();
  #lastClock = new StoreClock();

  constructor({ connection, scripts, timeoutMs, metrics }: ScriptCallsOptions) {
    this.#connection = connection;
    this.#scripts = scripts;
    this.#timeoutMs = timeoutMs;
    this.#metrics = metrics;
  }

  /** @param shard the server that holds the keys */
  async run<Name extends keyof Scripts>(name: Name, shard: string, { keys, args }: Input): Promise<ReplyOf<Name>> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    const clock = this.#findClock(shard);
    const send = () => {
      // For the first call to a server of a cluster, another server's clock is accurate enough.
      const knownClock = clock.isKnown ? clock : this.#lastClock;
      const deadline = WITHOUT_DEADLINE.includes(name) ? [] : [knownClock.findPassedTime(giveUpAt)];
      const replyPromise = this.#scripts[name](keys.length, ...keys, ...deadline, ...args) as Promise<ReplyOf<Name>>;
      return this.#awaitReply(replyPromise, clock, giveUpAt);
    };
    const reply = await send();
    if (!isTooLate(reply)) return reply;
    // The deadline was wrong, because the server's clock was not known or had been changed. Now it is known from the
    // reply. The script did nothing, so it is safe to call it again.
    const secondReply = performance.now() < giveUpAt ? await send() : reply;
    if (isTooLate(secondReply)) throw new RedisUnavailable(TIMEOUT_FAILURE);
    return secondReply;
  }

  /** Whether a server has sent any reply since this local time (`performance.now()`). */
  hasRepliedSince(shard: string, localTime: number): boolean {
    return this.#findClock(shard).repliedAt > localTime;
  }

  /** Estimates the time by the store's clock, even while the store is unavailable. */
  now(): Millis {
    return this.#lastClock.now() ?? Date.now();
  }

  async #awaitReply<AnyReply extends Reply | BatchReply>(
    replyPromise: Promise<AnyReply>,
    clock: StoreClock,
    giveUpAt: number,
  ): Promise<AnyReply> {
    const sentAt = performance.now();
    const learnedReply = replyPromise.then((reply) => {
      clock.learn(readTime(reply), sentAt, performance.now());
      this.#lastClock = clock;
      return reply;
    });
    try {
      return await awaitResponse(this.#connection, giveUpAt - sentAt, learnedReply);
    } finally {
      this.#metrics.latency((performance.now() - sentAt) / 1000);
    }
  }

  #findClock(shard: string): StoreClock {
    let clock = this.#clocks.get(shard);
    if (clock === undefined) {
      clock = new StoreClock();
      this.#clocks.set(shard, clock);
    }
    return clock;
  }
}
