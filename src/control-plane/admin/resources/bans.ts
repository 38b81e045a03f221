import { decodePosition, type Page, toPage, type PageRequest, formatSortPosition } from '../../../storage/paging.ts';
import { type Clock, toMillis } from '../../../base/time.ts';
import type { Order } from '../../../storage/sorted-page.ts';
import { invalidField } from '../../api-server/refused.ts';
import { requireKey } from './admin-key-json.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { AuditEntry, AuditFilter, ChangeContext } from '../../registry/audit-log.ts';
import {
  ACTIVE_ENDING,
  type ActiveBans,
  findActiveBans,
  type BanEnding,
  findEndings,
  MAX_BANS_READ,
  type FindActiveBan,
  findUnendedBan,
} from '../../registry/ban-endings.ts';
import {
  BAN_START,
  createBannedEvent,
  isSameBan,
  createLiftEntry,
  readStart,
  findStartMessage,
  type RecordedBan,
  createStartEntry,
  createUnbannedEvent,
} from '../../registry/ban-record.ts';
import type { Key } from '../../registry/key.ts';
import type { RefuseUnknown } from './known-values.ts';
import { parseOrder } from './sort-order.ts';
import type { Registry } from '../../registry/registry.ts';
import type { BanView, AdmissionStore } from '../../../data-plane/boundary-types.ts';

/** `inspect` needs limits, but the ban does not depend on them. */
const ANY_LIMITS = { minute: 1, day: 1 };

/** Starts and lifts bans. The caller must record the result. */
export function createBans(registry: Registry, store: AdmissionStore) {
  const findActiveBan = async (quotaId: string): Promise<BanView | null> =>
    (await store.inspect(quotaId, ANY_LIMITS)).ban;

  // The ban is started before it is recorded: if recording fails, the ban should still apply.
  async function start(key: Key, seconds: number, change: ChangeContext): Promise<RecordedBan> {
    const replaced = await findActiveBan(key.quotaId);
    const ban = await store.ban(key.quotaId, seconds * 1000);
    return createStartRecord(key, ban, replaced, change);
  }

  /** Like `start`, but keeps an active ban of the same length if that ban could not be recorded when it started. */
  async function startOnce(key: Key, seconds: number, change: ChangeContext): Promise<RecordedBan> {
    const ban = await findActiveBan(key.quotaId);
    if (ban === null || !ban.manual || ban.until - ban.from !== seconds * 1000) return start(key, seconds, change);
    const record = createStartRecord(key, ban, null, change);
    const filter = { subject: key.quotaId, action: BAN_START };
    const [last] = (await registry.listAudit(filter, { limit: 1 })).items;
    const isRecorded = last !== undefined && isSameBan(last, record.entry);
    return isRecorded ? start(key, seconds, change) : record;
  }

  /** Lifts the ban of a key's quota. Resolves to null if there is no ban. */
  async function lift({ id: keyId, quotaId, owner }: Key, change: ChangeContext): Promise<RecordedBan | null> {
    // If an earlier lift could not be recorded, the store no longer has the ban. The lift is recorded now.
    const endedBan = (await store.lift(quotaId)) ?? (await findUnendedBan(registry, quotaId, change.at));
    if (endedBan === null) return null;
    const bannedKey = { keyId, quotaId, owner };
    return {
      entry: createLiftEntry(change, bannedKey, endedBan),
      event: createUnbannedEvent(bannedKey, endedBan, change),
    };
  }

  return { running: findActiveBan, start, startOnce, lift };
}

function createStartRecord(
  { id: keyId, quotaId, owner }: Key,
  ban: BanView,
  replaced: BanView | null,
  change: ChangeContext,
): RecordedBan {
  const bannedKey = { keyId, quotaId, owner };
  return {
    entry: createStartEntry(change, bannedKey, ban, null, replaced),
    event: createBannedEvent(bannedKey, ban, change),
  };
}

export function createBanOperations(
  registry: Registry,
  store: AdmissionStore,
  refuseUnknown: RefuseUnknown,
  clock: Clock,
): Pick<AdminOperations, 'listBans' | 'banKey' | 'liftBan'> {
  const bans = createBans(registry, store);

  return {
    async listBans({ query }) {
      const { key, owner, status } = query;
      const subject = key === undefined ? undefined : ((await registry.getKey(key))?.quotaId ?? key);
      const { by, descending } = parseOrder(query.sort);
      const about = { subject, quotasOf: owner };
      if (by !== 'from' && status !== 'active') throw invalidField('/query/sort', ONLY_ACTIVE_MESSAGE);
      const now = clock();
      const body =
        by === 'from'
          ? await listBans(registry, bans.running, { about, status, oldestFirst: !descending, now }, query)
          : paginateSortedBans(await findActiveBans(registry, bans.running, about, now), { by, descending }, query);
      if (body.items.length === 0) await refuseUnknown({ owner: query.owner });
      return { status: 200, body };
    },

    async banKey({ path: { id }, body: { seconds, message }, change }) {
      const { entry, event } = await bans.start(await requireKey(registry, id), seconds, { ...change, message });
      await registry.appendAudit(entry, [event]);
      return { status: 200, body: toBanJson(entry, ACTIVE_ENDING) };
    },

    async liftBan({ path: { id }, body: { message }, change }) {
      const lifted = await bans.lift(await requireKey(registry, id), { ...change, message });
      if (lifted !== null) await registry.appendWithEvent(lifted.entry, lifted.event);
      return { status: 204 };
    },
  };
}

/** Maximum number of entries that are read for one response. It limits the work if few bans have the requested status. */
const MAX_ENTRIES_READ = 500;

interface BanFilter {
  readonly about: Pick<AuditFilter, 'subject' | 'quotasOf'>;
  readonly status: Schemas['BanStatus'] | undefined;
  readonly oldestFirst: boolean;
  /** ms since the Unix epoch. */
  readonly now: number;
}

/**
 * Lists bans in the order of their start. The audit log has the start of every ban. The store says which bans are still
 * active.
 *
 * @returns a page of bans. With a filter by status, it may have fewer bans than `limit`, although `nextCursor` shows that
 * there are more.
 */
async function listBans(
  registry: Registry,
  running: FindActiveBan,
  { about, status, oldestFirst, now }: BanFilter,
  { limit, cursor: firstCursor }: PageRequest,
): Promise<Page<Schemas['Ban']>> {
  const readPage = (page: PageRequest) =>
    status === 'active'
      ? registry.listUnendedBans(about, now, page, oldestFirst)
      : registry.listAudit({ action: BAN_START, ...about }, page, oldestFirst);
  const items: Schemas['Ban'][] = [];
  let cursor = firstCursor;
  for (let entriesRead = 0; entriesRead < MAX_ENTRIES_READ;) {
    const remaining = limit - items.length;
    const page = await readPage({ limit: remaining, cursor });
    const endings = await findEndings(registry, running, page.items);
    for (const entry of page.items) {
      const ending = endings(entry);
      if (status === undefined || ending.status === status) items.push(toBanJson(entry, ending));
    }
    entriesRead += remaining;
    if (page.nextCursor === null) return { items, nextCursor: null };
    cursor = page.nextCursor;
    if (items.length === limit) break;
  }
  return { items, nextCursor: cursor ?? null };
}

/** The values by which active bans can be sorted. */
const SORT_VALUES = {
  until: (start: AuditEntry) => toMillis(readStart(start).until),
  length: (start: AuditEntry) => toMillis(readStart(start).until) - toMillis(readStart(start).from),
  actor: ({ actor }: AuditEntry) => actor,
};

/** Returns a page of the active bans. All of them are sorted for each page, so that each ban appears on the right page. */
function paginateSortedBans(
  { starts, hasMore }: ActiveBans,
  { by, descending }: Order<keyof typeof SORT_VALUES>,
  { limit, cursor }: PageRequest,
): Page<Schemas['Ban']> {
  if (hasMore) throw invalidField('/query/sort', TOO_MANY_MESSAGE);
  const list = `bans ${descending ? '-' : ''}${by}`;
  const compare = (a: SortPosition, b: SortPosition) => {
    const order = a.value < b.value ? -1 : a.value > b.value ? 1 : a.sequence - b.sequence;
    return descending ? -order : order;
  };
  const after = cursor === undefined ? null : decodePosition(list, cursor, by !== 'actor');
  const rows = starts
    .map((start) => ({ start, value: SORT_VALUES[by](start), sequence: start.sequence }))
    .filter((position) => after === null || compare(position, after) > 0)
    .toSorted(compare);
  return toPage(
    list,
    rows,
    limit,
    ({ value, sequence }) => formatSortPosition(value, sequence),
    ({ start }) => toBanJson(start, ACTIVE_ENDING),
  );
}

interface SortPosition {
  readonly value: string | number;
  readonly sequence: number;
}

const ONLY_ACTIVE_MESSAGE = 'sorts only active bans by this: add status=active, or sort by from';
const TOO_MANY_MESSAGE = `sorts at most ${MAX_BANS_READ} active bans by this, and there are more: add owner or key, or sort by from`;

function toBanJson(entry: Omit<AuditEntry, 'sequence'>, { status, endedAt, lift }: BanEnding): Schemas['Ban'] {
  const { keyId, from, until, level, manual, evidence } = readStart(entry);
  const { subject: quotaId, actor, reason } = entry;
  const fields = { keyId, quotaId, status, manual, level, from, until, endedAt, evidence, lift };
  return { ...fields, actor, reason, message: findStartMessage(entry) };
}
