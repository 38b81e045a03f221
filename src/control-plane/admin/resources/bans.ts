import type { Page } from '../../../base/paging.ts';
import { toDateTime, toMillis } from '../../../base/time.ts';
import { existingKey } from './admin-key-json.ts';
import type { operations } from '../openapi/admin-types.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { AuditEntry } from '../../registry/audit-log.ts';
import {
  bannedEvent,
  liftEntry,
  startEntry,
  unbannedEvent,
  BAN_LIFT,
  BAN_START,
  banRecord,
  endedBan,
  identityOf,
  readStart,
} from '../../registry/ban-record.ts';
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

type BanStatus = Schemas['BanStatus'];

interface Ending {
  readonly status: BanStatus;
  /** RFC 3339; null while the ban runs. */
  readonly endedAt: string | null;
  readonly lift: { readonly at: string; readonly actor: string; readonly reason: string | null } | null;
}

type RunningBan = (quotaId: string) => Promise<BanView | null>;

/** Maximum number of entries read for one response, if few bans have the requested status. */
const MAX_ENTRIES_READ = 500;
const PAGE_SIZE = 100;

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

/** Finds the current state of each of these bans. */
async function endingsOf(
  registry: Registry,
  running: RunningBan,
  starts: readonly AuditEntry[],
): Promise<(start: AuditEntry) => Ending> {
  const quotaIds = [...new Set(starts.map(({ subject }) => subject))];
  const known = new Map(
    await Promise.all(
      quotaIds.map(async (quotaId) => {
        const [ban, ends] = await Promise.all([running(quotaId), endsOf(registry, quotaId)]);
        return [quotaId, { ban, ends }] as const;
      }),
    ),
  );
  return (start) => {
    const record = readStart(start);
    const identity = identityOf(record);
    const { ban, ends } = known.get(start.subject) ?? { ban: null, ends: new Map<string, Ending>() };
    if (ban !== null && identityOf(banRecord(ban)) === identity) return { status: 'active', endedAt: null, lift: null };
    return ends.get(identity) ?? { status: 'expired', endedAt: record.until, lift: null };
  };
}

/** The latest ban of a quota by its records, unless they say that it ended; null if they do, or there is none. */
export async function unendedBan(registry: Registry, quotaId: string, now: number): Promise<BanView | null> {
  const [start] = (await registry.listAudit({ subject: quotaId, action: BAN_START }, { limit: 1 })).items;
  if (start === undefined) return null;
  const { from, until, level, manual } = readStart(start);
  if (toMillis(until) <= now) return null;
  const isEnded = (await endsOf(registry, quotaId)).has(identityOf({ from, until }));
  return isEnded ? null : { from: toMillis(from), until: toMillis(until), level, manual };
}

/** How the lifted and replaced bans of a quota ended, by `identityOf`. The latest `PAGE_SIZE` of each kind. */
async function endsOf(registry: Registry, quotaId: string): Promise<Map<string, Ending>> {
  const latest = async (action: string) =>
    (await registry.listAudit({ subject: quotaId, action }, { limit: PAGE_SIZE })).items;
  const [starts, lifts] = await Promise.all([latest(BAN_START), latest(BAN_LIFT)]);
  const ends = new Map<string, Ending>();
  for (const entry of starts) {
    const replaced = endedBan(entry);
    if (replaced !== null) ends.set(replaced, { status: 'replaced', endedAt: readStart(entry).from, lift: null });
  }
  for (const entry of lifts) {
    const lifted = endedBan(entry);
    const lift = { at: toDateTime(entry.at), actor: entry.actor, reason: entry.reason };
    if (lifted !== null) ends.set(lifted, { status: 'lifted', endedAt: lift.at, lift });
  }
  return ends;
}

function banJson(entry: Omit<AuditEntry, 'sequence'>, { status, endedAt, lift }: Ending): Schemas['Ban'] {
  const { keyId, from, until, level, manual, evidence } = readStart(entry);
  const { subject: quotaId, actor, reason } = entry;
  return { keyId, quotaId, status, manual, level, from, until, endedAt, actor, reason, evidence, lift };
}
