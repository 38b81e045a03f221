import { type Clock, toMillis } from '../../base/time.ts';
import type { BanChange, BanSource, BanView } from '../../data-plane/boundary-types.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { Queries } from '../../storage/tables.ts';
import { type AuditEntry, listAudit, listUnendedBans, type NewAuditEntry } from './audit-log.ts';
import { BAN_LIFT, BAN_START, type BanRecord, readStart } from './ban-record.ts';

/**
 * Tells gateways about bans that they have not seen themselves, so that these bans also apply while the shared store of
 * counters is unavailable. A ban is announced in the same transaction that records it.
 */

const STARTED_KIND = 'ban';
const LIFTED_KIND = 'lift';
/** Announces a change that does not fit into a message, so gateways must read all bans again. */
const RELOAD_MESSAGE = 'bans';
/** The maximum that the database allows (see `Announce`). */
const MAX_MESSAGE_LENGTH = 60;
/** Base of the numbers in a message. */
const RADIX = 36;

/** Announces the bans and lifts among these entries. */
export function announceBans(announce: Announce, entries: readonly NewAuditEntry[]): void {
  for (const entry of entries) {
    const change = toBanChange(entry);
    if (change !== null) announce(encodeMessage(change));
  }
}

/** The source of bans for one gateway. */
export function createBanSource(database: Database, clock: Clock): BanSource {
  const { dialect } = database;
  return {
    onChange(listener) {
      database.onChange((message) => {
        const change = parseBanChange(message);
        if (change !== undefined) listener(change);
      });
    },
    read: () => database.read((queries) => readBans({ queries, dialect }, clock())),
  };
}

/** The ban or lift in an entry; null if the entry is about something else. */
function toBanChange(entry: NewAuditEntry): BanChange | null {
  const { action, subject: quotaId, before } = entry;
  if (action === BAN_START) {
    const { from, until, level, manual } = readStart(entry);
    return { kind: 'started', quotaId, ban: { from: toMillis(from), until: toMillis(until), level, manual } };
  }
  if (action !== BAN_LIFT || before === null) return null;
  return { kind: 'lifted', quotaId, from: toMillis((before as unknown as BanRecord).from) };
}

function encodeMessage(change: BanChange): string {
  const [kind, numbers] =
    change.kind === 'lifted' ? [LIFTED_KIND, [change.from]] : [STARTED_KIND, toNumbers(change.ban)];
  const message = [kind, change.quotaId, ...numbers.map((number) => number.toString(RADIX))].join(' ');
  return message.length > MAX_MESSAGE_LENGTH ? RELOAD_MESSAGE : message;
}

function toNumbers({ from, until, level, manual }: BanView): number[] {
  return [from, until, level, manual ? 1 : 0];
}

/**
 * The ban or lift in a message; null if changes may have been missed; undefined if the message is about something else.
 */
function parseBanChange(message: string | null): BanChange | null | undefined {
  if (message === null || message === RELOAD_MESSAGE) return null;
  const [kind, quotaId = '', ...numbers] = message.split(' ');
  if (kind !== STARTED_KIND && kind !== LIFTED_KIND) return undefined;
  const [from = NaN, until = NaN, level = NaN, manual] = numbers.map((number) => Number.parseInt(number, RADIX));
  if (kind === LIFTED_KIND) return { kind: 'lifted', quotaId, from };
  return { kind: 'started', quotaId, ban: { from, until, level, manual: manual === 1 } };
}

/**
 * Maximum number of bans that are read, latest first. If very many bans are active, reading all of them would take
 * long.
 */
const MAX_BANS = 5000;
const PAGE_SIZE = 500;

interface BanReading {
  readonly queries: Queries;
  readonly dialect: Dialect;
}

/** See `BanSource.read`. @param now ms since the Unix epoch */
async function readBans(reading: BanReading, now: number): Promise<BanChange[]> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  for (let readCount = 0; readCount < MAX_BANS; readCount += PAGE_SIZE) {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const page = await listUnendedBans(reading, {}, now, { limit: PAGE_SIZE, cursor }, false);
    // oxlint-disable-next-line no-await-in-loop -- bounds how many are read at once
    entries.push(...page.items, ...(await loadLifts(reading, page.items)));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return entries.map(toBanChange).filter((change) => change !== null);
}

/** The latest lifts for the quotas of these bans. */
async function loadLifts({ queries }: BanReading, starts: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const quotaIds = [...new Set(starts.map((start) => start.subject))];
  if (quotaIds.length === 0) return [];
  return (await listAudit(queries, { subject: quotaIds, action: BAN_LIFT }, { limit: MAX_BANS })).items;
}
