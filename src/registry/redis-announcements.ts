import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '../admission/store.ts';
import type { RedisClient } from '../redis/connection.ts';
import { RedisAccess } from './redis-access.ts';
import type { RedisNames } from './redis-names.ts';
import { readPending } from './redis-pending.ts';
import type { PendingLot } from './redis-pending.ts';
import type { Invalidation } from './registry.ts';

type Listener = (what: Invalidation) => void;

const ALL: readonly Invalidation[] = [{ kind: 'all' }];

/**
 * Hears of every change, by whoever made it. Announcements are numbered in Redis: a gap, or a number there that was not
 * heard of here a look later, means that some were missed. A cluster client moves its subscription to another node
 * without saying so, and a connection may be dead for long before anybody notices; the numbers tell.
 *
 * A message: the origin, the number of the change there, the number of the announcement, then `all` or hashes.
 */
export class Announcements {
  readonly #origin = randomUUID();
  readonly #redis: RedisAccess;
  readonly #subscriber: RedisClient;
  readonly #names: RedisNames;
  readonly #timeout: number;
  readonly #listeners: Listener[] = [];
  readonly #onPending: (pending: readonly PendingLot[]) => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #changes = 0;
  /** Changes made here that are neither answered nor heard of, and those whose listeners need not be told again. */
  readonly #pending = new Set<string>();
  readonly #told = new Set<string>();
  /** The number that was last heard of, and the one that Redis was last seen to be at. */
  #heard = 0;
  #seen = 0;

  /**
   * @param timings ms: how long to wait for Redis, how often to look whether something was missed
   * @param onPending given what is pending at each look
   */
  constructor(
    redis: RedisAccess,
    subscriber: RedisClient,
    names: RedisNames,
    timings: { readonly timeout: number; readonly lookEvery: number },
    onPending: (pending: readonly PendingLot[]) => Promise<void>,
  ) {
    this.#onPending = onPending;
    this.#redis = redis;
    this.#subscriber = subscriber;
    this.#names = names;
    this.#timeout = timings.timeout;
    subscriber.on('message', this.#onMessage);
    subscriber.on('ready', this.#onReady);
    this.#timer = setInterval(() => void this.#look().catch(unlessAway), timings.lookEvery).unref();
  }

  /** Listens from now on. Those who listened before must assume that they missed something. */
  async subscribe(): Promise<void> {
    const subscriber = new RedisAccess(this.#subscriber);
    await subscriber.ask(this.#timeout, (client) => client.subscribe(this.#names.channel));
    this.#told.clear();
    this.#tell(ALL);
    this.#heard = this.#seen = await this.#latest();
  }

  onInvalidation(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /**
   * Makes a change, and tells the listeners before it resolves.
   *
   * @param make given the head of the announcement; resolves to what was touched
   */
  async making<T>(make: (head: string) => Promise<{ result: T; touched: readonly Invalidation[] }>): Promise<T> {
    const id = String(++this.#changes);
    this.#pending.add(id);
    try {
      const { result, touched } = await make(`${this.#origin} ${id}`);
      if (this.#pending.has(id) && touched.length > 0) {
        this.#tell(touched);
        this.#told.add(id);
      }
      return result;
    } finally {
      this.#pending.delete(id);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.length = 0;
    this.#subscriber.off('message', this.#onMessage);
    this.#subscriber.off('ready', this.#onReady);
    this.#subscriber.unsubscribe(this.#names.channel).catch(() => {});
  }

  readonly #onReady = () => void this.subscribe().catch(unlessAway);

  readonly #onMessage = (channel: string, message: string) => {
    if (channel !== this.#names.channel) return;
    const [origin, id = '', number, ...hashes] = message.split(' ');
    const missed = Number(number) > this.#heard + 1;
    this.#heard = Math.max(this.#heard, Number(number));
    if (origin === this.#origin && this.#told.delete(id)) hashes.length = 0;
    else if (origin === this.#origin) this.#pending.delete(id);
    if (missed || hashes[0] === 'all') this.#tell(ALL);
    else this.#tell(hashes.map((hash) => ({ kind: 'key', hash })));
  };

  async #look(): Promise<void> {
    const expected = this.#seen;
    const latest = await this.#latest();
    // A lower number than before: Redis has lost what it had, such as by a failover.
    const lost = latest < expected;
    this.#seen = latest;
    if (this.#heard >= expected && !lost) return;
    this.#heard = lost ? latest : expected;
    this.#tell(ALL);
  }

  async #latest(): Promise<number> {
    const { changes, pending } = this.#names;
    const [latest, waiting] = await this.#redis.ask(this.#timeout, (client) => client.mget(changes, pending));
    const lots = readPending(waiting);
    if (lots.length > 0) this.#onPending(lots).catch(unlessAway);
    return Number(latest ?? 0);
  }

  #tell(touched: readonly Invalidation[]): void {
    for (const what of touched) {
      for (const listener of this.#listeners) listener(what);
    }
  }
}

/** Nothing is lost: there is a next look, and a next connection. */
function unlessAway(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
