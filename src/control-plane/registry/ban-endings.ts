import { toDateTime, toMillis } from '../../base/time.ts';
import type { BanView } from '../../data-plane/boundary-types.ts';
import type { AuditEntry, AuditFilter } from './audit-log.ts';
import { BAN_LIFT, BAN_START, toBanRecord, identifyEndedBan, identifyBan, readStart } from './ban-record.ts';
import type { Registry } from './registry.ts';

/**
 * Finds out how bans ended. The audit log records when bans start and when they are lifted. The store of counters has
 * the bans that are still active.
 */

export interface BanEnding {
  readonly status: 'active' | 'expired' | 'lifted' | 'replaced';
  /** RFC 3339; null while the ban is active. */
  readonly endedAt: string | null;
  readonly lift: BanLift | null;
}

interface BanLift {
  readonly at: string;
  readonly actor: string;
  readonly reason: string | null;
  /** The message to the customer. */
  readonly message: string | null;
}

export const ACTIVE_ENDING: BanEnding = { status: 'active', endedAt: null, lift: null };

/** Finds the active ban of a quota in the store of counters. */
export type FindActiveBan = (quotaId: string) => Promise<BanView | null>;

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
  findActiveBan: FindActiveBan,
  starts: readonly AuditEntry[],
): Promise<(start: AuditEntry) => BanEnding> {
  const quotaIds = [...new Set(starts.map(({ subject }) => subject))];
  const bansAndEndings = new Map(
    await Promise.all(
      quotaIds.map(async (quotaId) => {
        const [ban, endings] = await Promise.all([findActiveBan(quotaId), findRecordedEndings(registry, quotaId)]);
        return [quotaId, { ban, ends: endings }] as const;
      }),
    ),
  );
  return (start) => {
    const record = readStart(start);
    const identity = identifyBan(record);
    const { ban, ends: endings } = bansAndEndings.get(start.subject) ?? {
      ban: null,
      ends: new Map<string, BanEnding>(),
    };
    if (isStartOf(start, ban)) return ACTIVE_ENDING;
    return endings.get(identity) ?? { status: 'expired', endedAt: record.until, lift: null };
  };
}

/** The latest recorded ban of a quota; null if there is none, or if that ban has ended. */
export async function findUnendedBan(registry: Registry, quotaId: string, now: number): Promise<BanView | null> {
  const [start] = (await registry.listAudit({ subject: quotaId, action: BAN_START }, { limit: 1 })).items;
  if (start === undefined) return null;
  const { from, until, level, manual } = readStart(start);
  if (toMillis(until) <= now) return null;
  const isEnded = (await findRecordedEndings(registry, quotaId)).has(identifyBan({ from, until }));
  return isEnded ? null : { from: toMillis(from), until: toMillis(until), level, manual };
}

export interface ActiveBans {
  /** The starts of the bans that are active now, newest first. */
  readonly starts: readonly AuditEntry[];
  /** Whether there are more bans than `MAX_BANS_READ`. If so, `starts` may be incomplete. */
  readonly hasMore: boolean;
}

export async function findActiveBans(
  registry: Registry,
  findActiveBan: FindActiveBan,
  filter: Pick<AuditFilter, 'subject' | 'quotasOf'>,
  now: number,
): Promise<ActiveBans> {
  const starts: AuditEntry[] = [];
  let cursor: string | undefined;
  for (let readCount = 0; readCount < MAX_BANS_READ; readCount += BANS_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const page = await registry.listUnendedBans(filter, now, { limit: BANS_AT_ONCE, cursor });
    // oxlint-disable-next-line no-await-in-loop -- bounds how many are asked for at once
    const bans = await Promise.all(page.items.map(({ subject }) => findActiveBan(subject)));
    starts.push(...page.items.filter((start, index) => isStartOf(start, bans[index] ?? null)));
    if (page.nextCursor === null) return { starts, hasMore: false };
    cursor = page.nextCursor;
  }
  return { starts, hasMore: true };
}

/** Whether `start` is the start of `ban`. */
function isStartOf(start: AuditEntry, ban: BanView | null): boolean {
  return ban !== null && identifyBan(toBanRecord(ban)) === identifyBan(readStart(start));
}

/**
 * How the lifted and replaced bans of a quota ended, by `identifyBan`. Reads only the latest `PAGE_SIZE` starts and
 * lifts.
 */
export async function findRecordedEndings(
  registry: Pick<Registry, 'listAudit'>,
  quotaId: string,
): Promise<Map<string, BanEnding>> {
  const listLatest = async (action: string) =>
    (await registry.listAudit({ subject: quotaId, action }, { limit: PAGE_SIZE })).items;
  const [starts, lifts] = await Promise.all([listLatest(BAN_START), listLatest(BAN_LIFT)]);
  const endings = new Map<string, BanEnding>();
  for (const entry of starts) {
    const replacedBan = identifyEndedBan(entry);
    if (replacedBan !== null)
      endings.set(replacedBan, { status: 'replaced', endedAt: readStart(entry).from, lift: null });
  }
  for (const entry of lifts) {
    const liftedBan = identifyEndedBan(entry);
    const { at, actor, reason, message = null } = entry;
    const lift = { at: toDateTime(at), actor, reason, message };
    if (liftedBan !== null) endings.set(liftedBan, { status: 'lifted', endedAt: lift.at, lift });
  }
  return endings;
}
