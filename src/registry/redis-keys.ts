import { decodeCursor, pageOf } from './cursor.ts';
import { loadScript } from './redis-access.ts';
import type { RedisAccess, Timeouts } from './redis-access.ts';
import type { RedisNames } from './redis-names.ts';
import { isPending, readPending } from './redis-pending.ts';
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
    const [found] = await this.#readAll([hash], timeout);
    return found ?? null;
  }

  /** Null for those that are not there (yet). Records and what is pending are of the same moment. */
  async #readAll(hashes: readonly string[], timeout: number): Promise<(KeptKey | null)[]> {
    if (hashes.length === 0) return [];
    const names = [this.#names.pending, ...hashes.map(this.#names.record)];
    const [waiting, ...texts] = await this.#redis.ask(timeout, (client) => client.mget(names));
    const pending = readPending(waiting);
    return texts.map((text, index) => {
      const kept = text === null ? null : readKey(text, hashes[index] ?? '');
      return kept === null || isPending(pending, kept.key.revision) ? null : kept;
    });
  }

  async list(filter: KeyFilter, page: PageRequest): Promise<Page<Key>> {
    let { cursor } = page;
    for (;;) {
      const found = await this.#listSome(filter, { limit: page.limit, cursor });
      // None where all of them are pending: there is something further on.
      if (found.items.length > 0 || found.nextCursor === null) return found;
      cursor = found.nextCursor;
    }
  }

  async #listSome(filter: KeyFilter, { limit, cursor }: PageRequest): Promise<Page<Key>> {
    const { change } = this.#timeouts;
    const highest = cursor === undefined ? '+inf' : `(${decodeCursor('keys', cursor)}`;
    const statuses = filter.status === undefined ? STATUSES : [filter.status];
    const indexes = statuses.map((status) => this.#names.index(status, filter));
    const members = (await this.#redis.run(change, NEWEST, indexes, [highest, String(limit + 1)])) as string[];
    const rows = members
      .map((hash, nth) => ({ hash, position: Number(members[nth + 1]) }))
      .filter((_, nth) => nth % 2 === 0);
    const positionOf = ({ position }: { position: number }) => position;
    const { items, nextCursor } = pageOf('keys', rows, limit, positionOf, ({ hash }) => hash);
    const found = await this.#readAll(items, change);
    // A key may have left the list between the look at the index and the look at the record.
    return { items: found.flatMap((kept) => (kept !== null && fits(kept.key, filter) ? [kept.key] : [])), nextCursor };
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
