import { decodeCursor, pageOf } from './cursor.ts';
import { loadScript } from './redis-access.ts';
import type { RedisAccess, Timeouts } from './redis-access.ts';
import type { RedisNames } from './redis-names.ts';
import { fixedDigits, readKey } from './redis-records.ts';
import type { KeptKey } from './redis-records.ts';
import type { Key, KeyFilter, KeyStatus, Page, PageRequest } from './registry.ts';

const NEWEST = loadScript('redis-newest.lua');
const TOUCH = loadScript('redis-touch.lua');
const STATUSES: readonly KeyStatus[] = ['active', 'disabled', 'revoked'];
/** Well under a millisecond of Redis' time; requests are served between one lot and the next. */
const TOUCHED_AT_ONCE = 500;

/** Keys as they are kept in Redis: reads, no rules. */
export class RedisKeys {
  readonly #redis: RedisAccess;
  readonly #names: RedisNames;
  readonly #timeouts: Timeouts;

  constructor(redis: RedisAccess, names: RedisNames, timeouts: Timeouts) {
    this.#redis = redis;
    this.#names = names;
    this.#timeouts = timeouts;
  }

  async get(id: string): Promise<KeptKey | null> {
    const { change } = this.#timeouts;
    // Which hash an id has never changes.
    const hash = await this.#redis.ask(change, (client) => client.hget(this.#names.ids, id));
    return hash === null ? null : this.#read(hash, change);
  }

  async findByHash(hash: string): Promise<Key | null> {
    return (await this.#read(hash, this.#timeouts.lookUp))?.key ?? null;
  }

  async #read(hash: string, timeout: number): Promise<KeptKey | null> {
    const text = await this.#redis.ask(timeout, (client) => client.get(this.#names.record(hash)));
    return text === null ? null : readKey(text, hash);
  }

  async list(filter: KeyFilter, page: PageRequest): Promise<Page<Key>> {
    const { change } = this.#timeouts;
    const highest = page.cursor === undefined ? '+inf' : `(${decodeCursor('keys', page.cursor)}`;
    const statuses = filter.status === undefined ? STATUSES : [filter.status];
    const indexes = statuses.map((status) => this.#names.index(status, filter));
    const members = (await this.#redis.run(change, NEWEST, indexes, [highest, String(page.limit + 1)])) as string[];
    const rows = members
      .map((hash, index) => ({ hash, position: Number(members[index + 1]) }))
      .filter((_, index) => index % 2 === 0);
    const records = rows.slice(0, page.limit).map(({ hash }) => this.#names.record(hash));
    const texts = records.length === 0 ? [] : await this.#redis.ask(change, (client) => client.mget(records));
    const { items, nextCursor } = pageOf(
      'keys',
      rows,
      page.limit,
      ({ position }) => position,
      ({ hash }) => hash,
    );
    const keys = items.map((hash, index) => {
      const text = texts[index];
      return text == null ? null : readKey(text, hash).key;
    });
    // A key may have left the list between the look at the index and the look at the record.
    return { items: keys.filter((key) => key !== null && fits(key, filter)) as Key[], nextCursor };
  }

  async touch(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    const { change } = this.#timeouts;
    const uses = [...lastUsed];
    while (uses.length > 0) {
      const some = uses.splice(-TOUCHED_AT_ONCE);
      const ids = some.map(([id]) => id);
      const hashes = await this.#redis.ask(change, (client) => client.hmget(this.#names.ids, ...ids));
      const known = some.flatMap(([, at], index) => {
        const hash = hashes[index];
        return hash == null ? [] : [{ record: this.#names.record(hash), at: fixedDigits(Math.max(0, Math.trunc(at))) }];
      });
      const [records, times] = [known.map(({ record }) => record), known.map(({ at }) => at)];
      if (known.length > 0) await this.#redis.run(change, TOUCH, records, times);
    }
  }
}

function fits(key: Key, { owner, plan, status }: KeyFilter): boolean {
  return (
    (owner === undefined || key.owner === owner) &&
    (plan === undefined || key.plan === plan) &&
    (status === undefined || key.status === status)
  );
}
