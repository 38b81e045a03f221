import { decodeCursor, pageOf } from './cursor.ts';
import { loadScript } from './redis-access.ts';
import type { RedisAccess } from './redis-access.ts';
import type { RedisNames } from './redis-names.ts';
import { isPending, readPending } from './redis-pending.ts';
import { readEntry } from './redis-records.ts';
import type { AuditEntry, AuditFilter, Page, PageRequest } from './registry.ts';

const PAGE = loadScript('redis-audit-page.lua');
/** Entries looked at in one call, where the index lets some through that do not fit the filter. */
const LOOKED_AT_ONCE = 200;

/** Sequences, inclusive. */
interface Range {
  readonly lowest: number;
  readonly highest: number;
}

/** The audit log as it is kept in Redis: reads only. */
export class RedisAudit {
  readonly #redis: RedisAccess;
  readonly #names: RedisNames;
  readonly #timeout: number;

  /** @param timeout ms */
  constructor(redis: RedisAccess, names: RedisNames, timeout: number) {
    this.#redis = redis;
    this.#names = names;
    this.#timeout = timeout;
  }

  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    const before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor('audit', page.cursor);
    const period = await this.#during(filter);
    const lowest = period.lowest;
    let highest = Math.min(period.highest, before - 1);
    const count = isExact(filter) ? page.limit + 1 : LOOKED_AT_ONCE;
    const rows: AuditEntry[] = [];
    while (rows.length <= page.limit && highest >= lowest) {
      const { entries, pending } = await this.#entries(filter, { lowest, highest }, count);
      rows.push(...entries.filter((entry) => fits(entry, filter) && !isPending(pending, entry.sequence)));
      highest = entries.length < count ? 0 : (entries.at(-1)?.sequence ?? 0) - 1;
    }
    return pageOf(
      'audit',
      rows,
      page.limit,
      ({ sequence }) => sequence,
      (entry) => entry,
    );
  }

  /** By the index that narrows it down the most. */
  async #entries({ subject, action, actor }: AuditFilter, { lowest, highest }: Range, count: number) {
    const { audit, auditOfActor, auditOfAction, auditOfSubject } = this.#names;
    const [kind, index] =
      subject !== undefined
        ? ['set', auditOfSubject(subject)]
        : action !== undefined
          ? ['stream', auditOfAction(action)]
          : actor !== undefined
            ? ['stream', auditOfActor(actor)]
            : ['log', audit];
    const args = [kind, String(highest), String(lowest), String(count)];
    const keys = [this.#names.pending, audit, index];
    const [pending, ...found] = (await this.#redis.run(this.#timeout, PAGE, keys, args)) as string[];
    return {
      pending: readPending(pending),
      entries: found.flatMap((id, at) => (at % 2 === 0 ? [readEntry(found[at + 1] ?? '', sequenceOf(id))] : [])),
    };
  }

  /**
   * A range that has all entries of a period. Times come from the gateways, whose clocks differ, so they do not quite
   * rise with the sequence. What is searched is the latest time up to each entry, which does; an entry's own is behind
   * that by no more than the skew that was noted.
   */
  async #during({ from, to }: AuditFilter): Promise<Range> {
    const range = { lowest: 1, highest: Number.MAX_SAFE_INTEGER };
    const { auditTimes, auditSkew } = this.#names;
    const ask = this.#redis.ask.bind(this.#redis, this.#timeout);
    if (from !== undefined) {
      const start = String(Math.max(0, Math.ceil(from)));
      const [first] = (await ask((client) => client.xrange(auditTimes, start, '+', 'COUNT', 1))) as [string][];
      range.lowest = first === undefined ? Number.MAX_SAFE_INTEGER : latterOf(first[0]);
    }
    if (to !== undefined) {
      const skew = Number((await ask((client) => client.get(auditSkew))) ?? 0);
      const end = String(Math.min(Math.max(0, Math.ceil(to) - 1 + skew), Number.MAX_SAFE_INTEGER));
      const [last] = (await ask((client) => client.xrevrange(auditTimes, end, '-', 'COUNT', 1))) as [string][];
      range.highest = last === undefined ? 0 : latterOf(last[0]);
    }
    return range;
  }
}

/** Whether an index has just the entries that fit. */
function isExact({ subject, action, actor, from, to }: AuditFilter): boolean {
  const indexed = [subject, action, actor].filter((each) => each !== undefined);
  return from === undefined && to === undefined && indexed.length <= 1;
}

function sequenceOf(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}

function latterOf(id: string): number {
  return Number(id.slice(id.indexOf('-') + 1));
}

function fits(entry: AuditEntry, { action, actor, from = -Infinity, to = Infinity }: AuditFilter): boolean {
  if (action !== undefined && entry.action !== action) return false;
  return (actor === undefined || entry.actor === actor) && entry.at >= from && entry.at < to;
}
