import type { Page } from '../../../base/paging.ts';
import { existingKey } from './admin-key-json.ts';
import type { operations } from '../openapi/admin-types.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { AuditEntry } from '../../registry/audit-log.ts';
import { type Ending, endingsOf, type RunningBan, unendedBan } from '../../registry/ban-endings.ts';
import { bannedEvent, liftEntry, startEntry, unbannedEvent, BAN_START, readStart } from '../../registry/ban-record.ts';
import type { Registry } from '../../registry/registry.ts';
import type { BanView, AdmissionStore } from '../../../data-plane/ports.ts';

/** `inspect` needs limits, but the ban does not depend on them. */
const ANY_LIMITS = { minute: 1, day: 1 };

export function banOperations(
  registry: Registry,
  store: AdmissionStore,
): Pick<AdminOperations, 'listBans' | 'banKey' | 'liftBan'> {
  const runningBan = async (quotaId: string): Promise<BanView | null> => (await store.inspect(quotaId, ANY_LIMITS)).ban;

  return {
    async listBans({ query }) {
      return { status: 200, body: await listBans(registry, runningBan, query) };
    },

    async banKey({ path: { id }, body, change }) {
      const { quotaId, owner } = await existingKey(registry, id);
      const replaced = await runningBan(quotaId);
      // The ban comes before its record: if one of the two fails, the ban should apply.
      const ban = await store.ban(quotaId, body.seconds * 1000);
      const entry = startEntry(change, { keyId: id, quotaId }, ban, null, replaced);
      await registry.appendAudit(entry, [bannedEvent({ keyId: id, quotaId, owner }, ban, change)]);
      return { status: 200, body: banJson(entry, { status: 'active', endedAt: null, lift: null }) };
    },

    async liftBan({ path: { id }, change }) {
      const { quotaId, owner } = await existingKey(registry, id);
      // Where a lift could not be recorded, the next one finds no ban, and records it.
      const ended = (await store.lift(quotaId)) ?? (await unendedBan(registry, quotaId, change.at));
      if (ended === null) return { status: 204 };
      const whose = { keyId: id, quotaId, owner };
      await registry.appendWithEvent(liftEntry(change, whose, ended), unbannedEvent(whose, ended, change));
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
  const { key, status, limit } = query;
  const subject = key === undefined ? undefined : ((await registry.getKey(key))?.quotaId ?? key);
  const items: Schemas['Ban'][] = [];
  let { cursor } = query;
  for (let looked = 0; looked < MAX_ENTRIES_READ;) {
    const room = limit - items.length;
    const page = await registry.listAudit({ action: BAN_START, subject }, { limit: room, cursor });
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
