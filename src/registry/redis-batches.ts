import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '../admission/store.ts';
import type { RedisClient } from '../redis/connection.ts';
import { loadScript } from './redis-access.ts';
import type { RedisAccess } from './redis-access.ts';
import type { Announcements } from './redis-announcements.ts';
import type { RedisChanges } from './redis-changes.ts';
import type { Committer } from './redis-committer.ts';
import type { RedisNames } from './redis-names.ts';
import { readPending } from './redis-pending.ts';
import type { PendingLot } from './redis-pending.ts';
import { readEntry, readKey } from './redis-records.ts';
import type { Change, Invalidation, NewKey } from './registry.ts';

const SETTLE = loadScript('redis-settle.lua');
const UNDO = loadScript('redis-undo.lua');
/** Redis serves nobody else while it writes a lot: some milliseconds, where requests wait for at most a hundred. */
const LOT = 250;
/** Where more keys came at once, a cache is told to forget everything. */
const MOST_TOLD = 10_000;
/** How long after its time a batch is given up for whoever left it behind. */
const PATIENCE_MS = 10_000;

/**
 * Many keys at once, all or none, without holding up Redis: they are written in lots that are marked as pending, which
 * every reader passes over, and come to be there when one last small script takes the marks away. What was left behind
 * by a gateway that died in the middle is taken back by another.
 */
export class Batches {
  readonly #redis: RedisAccess;
  readonly #names: RedisNames;
  readonly #changes: RedisChanges;
  readonly #committer: Committer;
  readonly #announcements: Announcements;
  readonly #timeout: number;

  /** @param timeout ms */
  constructor(
    redis: RedisAccess,
    names: RedisNames,
    {
      changes,
      committer,
      announcements,
    }: { changes: RedisChanges; committer: Committer; announcements: Announcements },
    timeout: number,
  ) {
    this.#redis = redis;
    this.#names = names;
    this.#changes = changes;
    this.#committer = committer;
    this.#announcements = announcements;
    this.#timeout = timeout;
  }

  async create(keys: readonly NewKey[], change: Change): Promise<void> {
    if (keys.length <= LOT) {
      await this.#committer.make(() => this.#changes.createKeys(keys, change));
      return;
    }
    await this.#changes.checkKeys(keys);
    const batch = randomUUID();
    try {
      let lots = 0;
      for (let start = 0; start < keys.length; start += LOT, lots++) {
        const lot = keys.slice(start, start + LOT);
        await this.#committer.make(() => this.#changes.createKeys(lot, change, batch));
      }
      await this.#settle(batch, lots, keys);
    } catch (error) {
      await this.#giveUp(batch);
      throw error;
    }
  }

  /** Takes back what others left behind. */
  async sweep(pending: readonly PendingLot[]): Promise<void> {
    for (const lot of pending) {
      if (lot.expiresAt + PATIENCE_MS < Date.now()) await this.#undo(lot, 'left');
    }
  }

  async #settle(batch: string, lots: number, keys: readonly NewKey[]): Promise<void> {
    const hashes = keys.map(({ hash }) => hash);
    const touched: Invalidation[] =
      hashes.length > MOST_TOLD ? [{ kind: 'all' }] : hashes.map((hash) => ({ kind: 'key', hash }));
    const text = hashes.length > MOST_TOLD ? 'all' : hashes.join(' ');
    const { pending, changes, channel } = this.#names;
    await this.#announcements.making(async (head) => {
      const args = [batch, String(lots), channel, head, text];
      const outcome = await this.#redis.run(this.#timeout, SETTLE, [pending, changes], args);
      if (outcome !== 'done') throw new StoreUnavailable('Redis took too long to make so many keys: none was made');
      return { result: undefined, touched };
    });
  }

  /** What can't be taken back now, because Redis is away, is swept later. */
  async #giveUp(batch: string): Promise<void> {
    try {
      const lots = readPending(await this.#redis.ask(this.#timeout, (client) => client.get(this.#names.pending)));
      for (const lot of lots) {
        if (lot.batch === batch) await this.#undo(lot, 'own');
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  async #undo(lot: PendingLot, whose: 'own' | 'left'): Promise<void> {
    const commands = await this.#commandsToUndo(lot);
    const touched = commands.map(([, key = '']) => key);
    const args = [lot.token, whose, ...commands.flatMap((words) => [String(words.length), ...words])];
    await this.#redis.run(this.#timeout, UNDO, [this.#names.pending, ...new Set(touched)], args);
  }

  /** The audit entries of a lot lead to its keys. */
  async #commandsToUndo({ first, last }: PendingLot): Promise<string[][]> {
    const { ids, audit, auditOfActor, auditOfAction, auditOfSubject, record, indexesOf } = this.#names;
    const ask = <T>(work: (client: RedisClient) => Promise<T>) => this.#redis.ask(this.#timeout, work);
    const found = (await ask((client) => client.xrange(audit, first, last))) as [string, [string, string]][];
    const entries = found.map(([id, [, text]]) => ({ id, ...readEntry(text, Number.parseInt(id, 10)) }));
    if (entries.length === 0) return [];
    const subjects = entries.map(({ subject }) => subject);
    const hashes = (await ask((client) => client.hmget(ids, ...subjects))).map((hash) => hash ?? '');
    const texts = await ask((client) => client.mget(hashes.map(record)));
    return entries.flatMap(({ id, sequence, subject, actor, action }, nth) => {
      const [hash, text] = [hashes[nth] ?? '', texts[nth] ?? null];
      const indexes = text === null ? [] : indexesOf(readKey(text, hash).key);
      return [
        ['DEL', record(hash)],
        ['HDEL', ids, subject],
        ...indexes.map((index) => ['ZREM', index, hash]),
        ['ZREM', auditOfSubject(subject), String(sequence)],
        ['XDEL', auditOfActor(actor), id],
        ['XDEL', auditOfAction(action), id],
        ['XDEL', audit, id],
      ];
    });
  }
}
