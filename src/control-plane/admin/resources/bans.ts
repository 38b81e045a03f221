import type { Page } from '../../../base/paging.ts';
import { existingKey } from './admin-key-json.ts';
import type { operations } from '../openapi/admin-types.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { AuditEntry, ChangeContext } from '../../registry/audit-log.ts';
import { type Ending, endingsOf, type RunningBan, unendedBan } from '../../registry/ban-endings.ts';
import {
  BAN_START,
  bannedEvent,
  isSameBan,
  liftEntry,
  readStart,
  type RecordedBan,
  startEntry,
  unbannedEvent,
} from '../../registry/ban-record.ts';
import type { Key } from '../../registry/key.ts';
import type { RefuseUnknown } from './known-values.ts';
import type { Registry } from '../../registry/registry.ts';
import type { BanView, AdmissionStore } from '../../../data-plane/ports.ts';

/** `inspect` needs limits, but the ban does not depend on them. */
const ANY_LIMITS = { minute: 1, day: 1 };

/** Starts and lifts bans. The callers record what was done. */
export function createBans(registry: Registry, store: AdmissionStore) {
  const running = async (quotaId: string): Promise<BanView | null> => (await store.inspect(quotaId, ANY_LIMITS)).ban;

  // A ban comes before its record: if one of the two fails, the ban should apply.
  async function start(key: Key, seconds: number, change: ChangeContext): Promise<RecordedBan> {
    const replaced = await running(key.quotaId);
    const ban = await store.ban(key.quotaId, seconds * 1000);
    return startRecord(key, ban, replaced, change);
  }

  /** Like `start`, but keeps a ban of this length that could not be recorded. */
  async function startOnce(key: Key, seconds: number, change: ChangeContext): Promise<RecordedBan> {
    const ban = await running(key.quotaId);
    if (ban === null || !ban.manual || ban.until - ban.from !== seconds * 1000) return start(key, seconds, change);
    const record = startRecord(key, ban, null, change);
    const filter = { subject: key.quotaId, action: BAN_START };
    const [last] = (await registry.listAudit(filter, { limit: 1 })).items;
    const isRecorded = last !== undefined && isSameBan(last, record.entry);
    return isRecorded ? start(key, seconds, change) : record;
  }

  /** Resolves to null if there is no ban. */
  async function lift({ id: keyId, quotaId, owner }: Key, change: ChangeContext): Promise<RecordedBan | null> {
    // Where a lift could not be recorded, the next one finds no ban, and records it.
    const ended = (await store.lift(quotaId)) ?? (await unendedBan(registry, quotaId, change.at));
    if (ended === null) return null;
    const whose = { keyId, quotaId, owner };
    return { entry: liftEntry(change, whose, ended), event: unbannedEvent(whose, ended, change) };
  }

  return { running, start, startOnce, lift };
}

function startRecord(
  { id: keyId, quotaId, owner }: Key,
  ban: BanView,
  replaced: BanView | null,
  change: ChangeContext,
): RecordedBan {
  const whose = { keyId, quotaId, owner };
  return { entry: startEntry(change, whose, ban, null, replaced), event: bannedEvent(whose, ban, change) };
}

export function banOperations(
  registry: Registry,
  store: AdmissionStore,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'listBans' | 'banKey' | 'liftBan'> {
  const bans = createBans(registry, store);

  return {
    async listBans({ query }) {
      const body = await listBans(registry, bans.running, query);
      if (body.items.length === 0) await refuseUnknown({ owner: query.owner });
      return { status: 200, body };
    },

    async banKey({ path: { id }, body, change }) {
      const { entry, event } = await bans.start(await existingKey(registry, id), body.seconds, change);
      await registry.appendAudit(entry, [event]);
      return { status: 200, body: banJson(entry, { status: 'active', endedAt: null, lift: null }) };
    },

    async liftBan({ path: { id }, change }) {
      const lifted = await bans.lift(await existingKey(registry, id), change);
      if (lifted !== null) await registry.appendWithEvent(lifted.entry, lifted.event);
      return { status: 204 };
    },
  };
}

/** Maximum number of entries read for one response, if few bans have the requested status. */
const MAX_ENTRIES_READ = 500;

/**
 * Lists bans, newest first. The audit log knows which bans began, the store which still hold.
 *
 * @returns when filtered by status, possibly fewer than `limit` although there are more: `nextCursor` says so
 */
async function listBans(
  registry: Registry,
  running: RunningBan,
  query: operations['listBans']['query'],
): Promise<Page<Schemas['Ban']>> {
  const { key, owner, status, limit } = query;
  const subject = key === undefined ? undefined : ((await registry.getKey(key))?.quotaId ?? key);
  const items: Schemas['Ban'][] = [];
  let { cursor } = query;
  for (let looked = 0; looked < MAX_ENTRIES_READ;) {
    const room = limit - items.length;
    const page = await registry.listAudit({ action: BAN_START, subject, quotasOf: owner }, { limit: room, cursor });
    const endings = await endingsOf(registry, running, page.items);
    for (const entry of page.items) {
      const ending = endings(entry);
      if (status === undefined || ending.status === status) items.push(banJson(entry, ending));
    }
    looked += room;
    if (page.nextCursor === null) return { items, nextCursor: null };
    cursor = page.nextCursor;
    if (items.length === limit) break;
  }
  return { items, nextCursor: cursor ?? null };
}

function banJson(entry: Omit<AuditEntry, 'sequence'>, { status, endedAt, lift }: Ending): Schemas['Ban'] {
  const { keyId, from, until, level, manual, evidence } = readStart(entry);
  const { subject: quotaId, actor, reason } = entry;
  return { keyId, quotaId, status, manual, level, from, until, endedAt, actor, reason, evidence, lift };
}
