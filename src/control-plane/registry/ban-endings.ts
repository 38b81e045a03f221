import { toDateTime, toMillis } from '../../base/time.ts';
import type { BanView } from '../../data-plane/boundary-types.ts';
import type { AuditEntry, AuditFilter } from './audit-log.ts';
import { BAN_LIFT, BAN_START, banRecord, endedBan, identifyBan, readStart } from './ban-record.ts';
import type { Registry } from './registry.ts';

/**
 * Finds out how bans ended. The audit log records when bans start and when they are lifted. The store of counters has
 * the bans that are still active.
 */

export interface Ending {
  readonly status: 'active' | 'expired' | 'lifted' | 'replaced';
  /** RFC 3339; null while the ban is active. */
  readonly endedAt: string | null;
  readonly lift: Lift | null;
}

interface Lift {
  readonly at: string;
  readonly actor: string;
  readonly reason: string | null;
  /** The message to the customer. */
  readonly message: string | null;
}

export const ACTIVE: Ending = { status: 'active', endedAt: null, lift: null };

/** Finds the active ban of a quota in the store of counters. */
export type RunningBan = (quotaId: string) => Promise<BanView | null>;

const PAGE_SIZE = 100;
/**
 * Maximum number of bans that are read to find or sort the active ones. The document of the admin API states this
 * number too.
 */
export const MAX_BANS_READ = 5000;
const BANS_AT_ONCE = 500;

/** @returns a function that takes the start of a ban, and returns how that ban ended, or that it is still active */
export async function findEndings(
  registry: Pick<Registry, 'listAudit'>,
  running: RunningBan,
  starts: readonly AuditEntry[],
): Promise<(start: AuditEntry) => Ending> {
  const quotaIds = [...new Set(starts.map(({ subject }) => subject))];
  const known = new Map(
    await Promise.all(
      quotaIds.map(async (quotaId) => {
        const [ban, ends] = await Promise.all([running(quotaId), findEnds(registry, quotaId)]);
        return [quotaId, { ban, ends }] as const;
      }),
    ),
  );
  return (start) => {
    const record = readStart(start);
    const identity = identifyBan(record);
    const { ban, ends } = known.get(start.subject) ?? { ban: null, ends: new Map<string, Ending>() };
    if (isStartOf(start, ban)) return ACTIVE;
    return ends.get(identity) ?? { status: 'expired', endedAt: record.until, lift: null };
  };
}

/** The latest recorded ban of a quota; null if there is none, or if that ban has ended. */
export async function unendedBan(registry: Registry, quotaId: string, now: number): Promise<BanView | null> {
  const [start] = (await registry.listAudit({ subject: quotaId, action: BAN_START }, { limit: 1 })).items;
  if (start === undefined) return null;
  const { from, until, level, manual } = readStart(start);
  if (toMillis(until) <= now) return null;
  const isEnded = (await findEnds(registry, quotaId)).has(identifyBan({ from, until }));
  return isEnded ? null : { from: toMillis(from), until: toMillis(until), level, manual };
}

export interface ActiveBans {
  /** The starts of the bans that are active now, newest first. */
  readonly starts: readonly AuditEntry[];
  /** Whether there are more bans than `MAX_BANS_READ`. If so, `starts` may be incomplete. */
  readonly hasMore: boolean;
}

export async function activeBans(
  registry: Registry,
  running: RunningBan,
  filter: Pick<AuditFilter, 'subject' | 'quotasOf'>,
  now: number,
): Promise<ActiveBans> {
  const starts: AuditEntry[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < MAX_BANS_READ; read += BANS_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const page = await registry.listUnendedBans(filter, now, { limit: BANS_AT_ONCE, cursor });
    // oxlint-disable-next-line no-await-in-loop -- bounds how many are asked for at once
    const bans = await Promise.all(page.items.map(({ subject }) => running(subject)));
    starts.push(...page.items.filter((start, index) => isStartOf(start, bans[index] ?? null)));
    if (page.nextCursor === null) return { starts, hasMore: false };
    cursor = page.nextCursor;
  }
  return { starts, hasMore: true };
}

/** Whether `start` is the start of `ban`. */
function isStartOf(start: AuditEntry, ban: BanView | null): boolean {
  return ban !== null && identifyBan(banRecord(ban)) === identifyBan(readStart(start));
}

/**
 * How the lifted and replaced bans of a quota ended, by `identifyBan`. Reads only the latest `PAGE_SIZE` starts and
 * lifts.
 */
export async function findEnds(registry: Pick<Registry, 'listAudit'>, quotaId: string): Promise<Map<string, Ending>> {
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
    const { at, actor, reason, message = null } = entry;
    const lift = { at: toDateTime(at), actor, reason, message };
    if (lifted !== null) ends.set(lifted, { status: 'lifted', endedAt: lift.at, lift });
  }
  return ends;
}
