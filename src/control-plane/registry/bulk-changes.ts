import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { KeyStatus } from '../../domain/credential.ts';
import { randomBase62, createRandomId } from '../../base/secrets.ts';
import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { NewestRows } from '../../storage/dialect.ts';
import type { BulkChangeRow, Queries, Tx } from '../../storage/tables.ts';
import { publish } from '../events/event-outbox.ts';
import { appendAudit, appendAuditEntry, type ChangeContext, listAudit, type NewAuditEntry } from './audit-log.ts';
import { announceBans } from './ban-feed.ts';
import { BAN_LIFT, BAN_START, isSameBan, type RecordedBan } from './ban-record.ts';
import { setStatuses } from './key-changes.ts';
import type { Key, KeyFilter, TimedFilter } from './key.ts';
import { createKindFilters, createTimedConditions, findHighestSequence } from './key-list.ts';
import { findKeysById } from './key-rows.ts';
import { makeChange } from './write-context.ts';

type BulkAction = 'disable' | 'enable' | 'revoke' | 'ban' | 'lift';

/** Selects the keys that meet all of these conditions. */
export interface BulkFilter {
  readonly owner?: string | undefined;
  readonly plan?: string | undefined;
  /** Part of name, owner, id or prefix, case-insensitive, at least 3 characters. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Keys that the bulk change with this id has changed, or whose quotas it has banned or unbanned. */
  readonly bulkId?: string | undefined;
  readonly status?: KeyStatus | undefined;
  readonly kind?: KeyFilter['kind'];
  /** `tokens[].name`. `IssuerFilter` has the issuer that it stands for. */
  readonly token?: string | undefined;
  /**
   * `state`, `unusedFor` and `expiresWithin` are relative to the present, as in the API request. `TimedFilter` has the
   * conditions that they stood for at the time of the preview.
   */
  readonly state?: string | undefined;
  readonly unusedFor?: string | undefined;
  readonly expiresWithin?: string | undefined;
}

export type IssuerFilter = Pick<KeyFilter, 'tokenIssuer' | 'tokenName'>;

export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** Length of the bans; null for other actions. */
  readonly seconds: number | null;
}

/** The keys that match a request and would be changed by it. */
export interface BulkKeys {
  /** Newest first. */
  readonly ids: readonly string[];
  /** Ids of the keys to change; for bans, of one key of each quota. */
  readonly targets: readonly string[];
  /**
   * For each key, the last use of it and of the keys that the action affects along with it, in ms since the Unix epoch.
   * Keys that were never used are left out.
   */
  readonly lastUses: readonly number[];
}

export interface BulkChange {
  readonly id: string;
  readonly action: BulkAction;
  readonly seconds: number | null;
  /** The message to customers, for bans only. */
  readonly message: string | null;
  /** Number of keys that matched. */
  readonly keys: number;
  /** Number of targets. */
  readonly total: number;
  /** Number of processed targets, whether they had to be changed or not. */
  readonly done: number;
  /** Number of keys that were changed, including the keys that they replaced; for bans, number of quotas. */
  readonly changed: number;
  /** Number of targets that were left as they are because they no longer met the conditions that depend on the time. */
  readonly skipped: number;
  /** Whether the bulk change was started with this request. */
  readonly matchesRequest: (request: BulkRequest) => boolean;
}

/** A batch of a bulk change that starts or lifts bans. */
interface BulkBatch {
  readonly number: number;
  readonly ids: readonly string[];
  /** Keys that exist and still meet the conditions, by id. */
  readonly keys: ReadonlyMap<string, Key>;
}

/** Maximum number of keys of a bulk change. */
export const MAX_BULK_KEYS = 100_000;
/** Targets per transaction: a few dozen milliseconds of work, during which SQLite serves nothing else. */
const BATCH_SIZE = 100;
/** Number of keys that are read at once. This takes a few milliseconds. */
const SLICE_SIZE = 10_000;
const ROWS_PER_STATEMENT = 500;
/** Bulk changes that have not continued for this long are deleted. The audit log keeps their entries. */
const RETENTION_MS = 7 * DAY_MS;

/**
 * The statuses of the keys that an action changes, and their status after it. Bans are missing, because they apply to
 * quotas, whatever the status of the keys.
 */
const STATUS_CHANGES = {
  disable: { from: ['active'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
  revoke: { from: ['active', 'disabled'], to: 'revoked' },
} as const satisfies Partial<Record<BulkAction, { from: readonly KeyStatus[]; to: KeyStatus }>>;

/**
 * The last use of a key and of the keys that it replaced. A key with the same id as its chain is the first of the
 * chain, so it replaced no key and needs no subquery.
 */
const LAST_USE_WITH_REPLACED = sql<number | null>`CASE WHEN chain = id THEN last_used_at ELSE (
  SELECT max(last_used_at) FROM keys AS one
  WHERE one.chain = keys.chain AND one.sequence <= keys.sequence AND one.status <> 'revoked') END`;
/**
 * The last use of any key of a quota. A key that was never rotated and belongs to no account is the only key of its
 * quota, so it needs no subquery.
 */
const LAST_USE_OF_QUOTA = sql<number | null>`CASE WHEN quota_id = id AND rotated_to IS NULL THEN last_used_at ELSE (
  SELECT max(last_used_at) FROM keys AS one
  WHERE one.quota_id = keys.quota_id AND one.status <> 'revoked') END`;

/** The last use of a key and of the keys that an action affects along with it. */
const LAST_USE_BY_ACTION = {
  disable: LAST_USE_WITH_REPLACED,
  enable: sql<number | null>`last_used_at`,
  revoke: LAST_USE_WITH_REPLACED,
  ban: LAST_USE_OF_QUOTA,
  lift: LAST_USE_OF_QUOTA,
} as const satisfies Record<BulkAction, unknown>;

/**
 * Changes many keys in small transactions. A bulk change is started with the digest of a preview, and then continued
 * until all its targets are processed. The remaining work is in the database, so any operator can continue it on any
 * gateway.
 */
export class BulkChanges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds the keys of a request; null if there are more than `MAX_BULK_KEYS`. */
  async findKeys(
    { action, filter }: Pick<BulkRequest, 'action' | 'filter'>,
    timed: TimedFilter = {},
    issuer: IssuerFilter = {},
  ): Promise<BulkKeys | null> {
    const { bulkId } = filter;
    const keyQuery = { action, filter, timed, issuer };
    const rows = await (bulkId === undefined ? this.#findMatches(keyQuery) : this.#findChangedBy(bulkId, keyQuery));
    if (rows.length > MAX_BULK_KEYS) return null;
    const ids = rows.map(({ id }) => id);
    const lastUses = rows.flatMap(({ last_use }) => last_use ?? []);
    if (!isBanAction(action)) return { ids, targets: ids, lastUses };
    const keyIdByQuota = new Map<string, string>();
    for (const { id, quota_id } of rows) if (!keyIdByQuota.has(quota_id)) keyIdByQuota.set(quota_id, id);
    return { ids, targets: [...keyIdByQuota.values()], lastUses };
  }

  /**
   * Finds the keys that were replaced by the keys in `ids`, and that the action also changes. Expired keys, and keys
   * that are themselves in `ids`, are left out.
   *
   * @returns when each key was last used; null: never
   */
  async findReplaced(action: BulkAction, ids: readonly string[], now: number): Promise<readonly (number | null)[]> {
    if (isBanAction(action) || action === 'enable') return [];
    const requestedIds = new Set(ids);
    const lastUseById = new Map<string, number | null>();
    for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
      const batchIds = ids.slice(start, start + ROWS_PER_STATEMENT);
      const rows = await this.#database.read((queries) =>
        queries
          .selectFrom('keys')
          .innerJoin('keys as one', 'one.chain', 'keys.chain')
          .select(['one.id as id', 'one.last_used_at as at'])
          .where('keys.id', 'in', batchIds)
          .whereRef('keys.chain', '<>', 'keys.id')
          .whereRef('one.sequence', '<', 'keys.sequence')
          .where('one.status', 'in', STATUS_CHANGES[action].from)
          .where((eb) => eb.or([eb('one.expires_at', 'is', null), eb('one.expires_at', '>', now)]))
          .execute(),
      );
      for (const { id, at } of rows) if (!requestedIds.has(id)) lastUseById.set(id, at);
    }
    return [...lastUseById.values()];
  }

  /** Finds all keys that match, newest first. Stops as soon as there are too many. */
  async #findMatches(keyQuery: KeyQuery): Promise<readonly KeyRow[]> {
    const { maxScannedRows: scannedRows } = this.#database.dialect;
    const isIndexed = createTimedConditions(keyQuery.timed).length === 0 && keyQuery.issuer.tokenName === undefined;
    if (!isIndexed && scannedRows !== null) return this.#scanMatches(keyQuery, scannedRows);
    const rows: KeyRow[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    while (rows.length <= MAX_BULK_KEYS) {
      const slice = await this.#database.read((queries) =>
        this.#selectMatches(queries, keyQuery)
          .where('sequence', '<', before)
          .orderBy('sequence', 'desc')
          .limit(SLICE_SIZE)
          .execute(),
      );
      for (const row of slice) rows.push(row);
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE_SIZE) break;
      before = last.sequence;
      await setImmediate();
    }
    return rows;
  }

  /**
   * Like `#findMatches`, but for conditions without an index. Reads the table in slices, so that other queries are
   * served between two slices.
   */
  async #scanMatches(keyQuery: KeyQuery, slice: number): Promise<readonly KeyRow[]> {
    const rows: KeyRow[] = [];
    let before = (await this.#database.read(findHighestSequence)) + 1;
    while (before > 1 && rows.length <= MAX_BULK_KEYS) {
      const end = before;
      const found = await this.#database.read((queries) =>
        this.#selectMatches(queries, keyQuery, { before: end, matches: slice })
          .where('sequence', '<', end)
          .where('sequence', '>=', end - slice)
          .orderBy('sequence', 'desc')
          .execute(),
      );
      for (const row of found) rows.push(row);
      before -= slice;
      await setImmediate();
    }
    return rows;
  }

  /**
   * Like `#findMatches`, but only for keys that a bulk change has changed. Starts from the audit entries of the bulk
   * change, because searching all keys would take long.
   */
  async #findChangedBy(bulkId: string, keyQuery: KeyQuery): Promise<readonly KeyRow[]> {
    const rows = new Map<string, KeyRow>();
    let after = 0;
    while (rows.size <= MAX_BULK_KEYS) {
      const entries = await this.#database.read((queries) => selectEntries(queries, bulkId, after));
      for (const [column, actions] of SUBJECT_COLUMNS) {
        const subjects = entries.filter((entry) => actions.has(entry.action)).map(({ subject }) => subject);
        if (subjects.length === 0) continue;
        const found = await this.#database.read((queries) =>
          this.#selectMatches(queries, keyQuery)
            .where(column, 'in', subjects)
            .limit(MAX_BULK_KEYS + 1)
            .execute(),
        );
        for (const row of found) rows.set(row.id, row);
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < ROWS_PER_STATEMENT) break;
      after = last.sequence;
      await setImmediate();
    }
    return [...rows.values()].toSorted((one, other) => other.sequence - one.sequence);
  }

  #selectMatches(queries: Queries, { action, filter, timed, issuer }: KeyQuery, newest?: NewestRows) {
    const { owner, plan, search, ids, status } = filter;
    const lastUse = LAST_USE_BY_ACTION[action].as('last_use');
    let query = queries.selectFrom('keys').select(['sequence', 'id', 'quota_id', lastUse]);
    query = query.where('status', 'in', isBanAction(action) ? STATUS_CHANGES.revoke.from : STATUS_CHANGES[action].from);
    if (owner !== undefined) query = query.where('owner', '=', owner);
    if (plan !== undefined) query = query.where('plan', '=', plan);
    if (ids !== undefined) query = query.where('id', 'in', ids);
    if (status !== undefined) query = query.where('status', '=', status);
    if (issuer.tokenName !== undefined) query = query.where('token_name', '=', issuer.tokenName);
    if (search !== undefined) query = query.where(this.#database.dialect.matches(search, newest));
    for (const condition of createKindFilters({ kind: filter.kind, ...issuer })) query = query.where(condition);
    for (const condition of createTimedConditions(timed)) query = query.where(condition);
    return query;
  }

  /** Returns the ids that belong to no key. */
  async findUnknownIds(ids: readonly string[]): Promise<readonly string[]> {
    const known = await this.#database.read((queries) =>
      queries.selectFrom('keys').select('id').where('id', 'in', ids).execute(),
    );
    const knownIds = new Set(known.map(({ id }) => id));
    return ids.filter((id) => !knownIds.has(id));
  }

  /**
   * Whether there ever was a bulk change with this id. The audit log shows it even if it can no longer be continued.
   */
  async exists(bulkId: string): Promise<boolean> {
    const entry = await this.#database.read((queries) =>
      queries.selectFrom('audit').select('sequence').where('bulk_id', '=', bulkId).limit(1).executeTakeFirst(),
    );
    return entry !== undefined;
  }

  /** The bulk change that was started with the digest; null if there was none, or if it has been deleted. */
  find(digest: string): Promise<BulkChange | null> {
    return this.#database.read((queries) => findByDigest(queries, digest));
  }

  /**
   * Stores a bulk change, but does not change any key yet. If the digest has already been used, resolves to the bulk
   * change that was started with it.
   */
  start(request: BulkRequest, keys: BulkKeys, digest: string, change: ChangeContext): Promise<BulkChange> {
    return makeChange(this.#database, change, async ({ tx, dialect }) => {
      await dialect.lock(tx, 'bulk changes');
      const existing = await findByDigest(tx, digest);
      if (existing !== null) return existing;
      await deleteOldChanges(tx, change.at - RETENTION_MS);
      const id = createRandomId('bulk');
      const { action, seconds, filter } = request;
      const { ids: listedIds, ...conditions } = filter;
      const counts = { keys: keys.ids.length, total: keys.targets.length };
      const isTimed = [filter.state, filter.unusedFor, filter.expiresWithin].some((value) => value !== undefined);
      const previewTime = isTimed ? { previewedAt: parsePreviewTime(digest) } : {};
      const after = { action, ...(seconds === null ? {} : { seconds }), ...conditions, ...previewTime, ...counts };
      await appendAuditEntry({ tx, change: { ...change, bulkId: id } }, id, 'bulk.start', { after });
      const { keys: key_count, total } = counts;
      const progress = { done: 0, changed: 0, skipped: 0, updated_at: change.at };
      const { reason, message = null } = change;
      const row = { id, digest, request: hashRequest(request), action, seconds, reason, message, key_count, total };
      await tx
        .insertInto('bulk_changes')
        .values({ ...row, ...progress })
        .execute();
      await insertBatches(tx, id, keys.targets);
      return toBulkChange({ ...row, ...progress });
    });
  }

  /**
   * Disables, enables or revokes the next batch of keys. Keys that no longer have the required status, or no longer
   * meet the conditions, are left as they are.
   */
  continue({ id, action }: BulkChange, change: ChangeContext, timed: TimedFilter = {}): Promise<BulkChange> {
    if (isBanAction(action)) throw new TypeError('bans are in another store');
    return makeChange(this.#database, change, async (context) => {
      const { tx } = context;
      const row = await lockRow(context, id);
      const batch = await findNextBatch(tx, id);
      if (batch === null) return toBulkChange(row);
      const ids = await filterMatching(tx, batch.ids, timed);
      const changed = await setStatuses(
        { ...context, change: createPartContext(row, change) },
        ids,
        STATUS_CHANGES[action],
      );
      const [done, skipped] = [batch.ids.length, batch.ids.length - ids.length];
      return recordProgress(context, row, batch, { done, changed, skipped });
    });
  }

  /** The next batch of keys to ban or unban; null if all batches are processed. */
  async loadNextBatch({ id }: BulkChange, timed: TimedFilter = {}): Promise<BulkBatch | null> {
    return this.#database.read(async (queries) => {
      const batch = await findNextBatch(queries, id);
      if (batch === null) return null;
      return { ...batch, keys: await findKeysById(queries, await filterMatching(queries, batch.ids, timed)) };
    });
  }

  /**
   * Records the bans or lifts of the first keys of a batch.
   *
   * @param done number of keys that were processed
   */
  recordBans(
    { id }: BulkChange,
    batch: BulkBatch,
    { done, bans }: { readonly done: number; readonly bans: readonly RecordedBan[] },
    change: ChangeContext,
  ): Promise<BulkChange> {
    return makeChange(this.#database, change, async (context) => {
      const { tx } = context;
      const row = await lockRow(context, id);
      const partContext = createPartContext(row, change);
      const { bulkId, reason, message } = partContext;
      const unrecorded: RecordedBan[] = [];
      for (const ban of bans) if (!(await isRecorded(tx, ban.entry))) unrecorded.push(ban);
      const added = new Set(
        await publish(
          context,
          unrecorded.map(({ event }) => event),
        ),
      );
      const newBans = unrecorded.filter(({ event }) => added.has(event.id));
      if (newBans.length > 0) {
        const entries = newBans.map(({ entry }) => ({ ...entry, bulkId, reason, message }));
        await appendAudit(tx, entries);
        announceBans(context.announce, entries);
      }
      const current = await findNextBatch(tx, id);
      // If the batch is not current, another call has already processed the same keys.
      const isCurrent = current?.number === batch.number && current.ids.length === batch.ids.length;
      const processedIds = isCurrent ? batch.ids.slice(0, done) : [];
      const skipped = processedIds.filter((key) => !batch.keys.has(key)).length;
      return recordProgress(context, row, batch, { done: processedIds.length, changed: newBans.length, skipped });
    });
  }
}

export function isBanAction(action: BulkAction): action is 'ban' | 'lift' {
  return action === 'ban' || action === 'lift';
}

/**
 * A digest of the keys that a request matches. It contains the time of the preview, because the bulk change evaluates
 * the conditions again as of that time. Each preview gets a digest of its own. A request with a digest can therefore be
 * repeated if its response was lost, and a new preview of the same keys starts a new bulk change.
 *
 * @param at ms since the Unix epoch
 */
export function createDigest(
  action: BulkAction,
  { ids }: Pick<BulkKeys, 'ids'>,
  at: number,
  nonce = randomBase62(NONCE_LENGTH),
): string {
  return `${at}.${nonce}.${hash('sha256', `${at} ${nonce} ${action} ${ids.join(' ')}`, 'base64url')}`;
}

const NONCE_LENGTH = 12;

/** When the preview with this digest was made, in ms since the Unix epoch. */
export function parsePreviewTime(digest: string): number {
  return Number(digest.split('.')[0]);
}

/** Whether the request still matches the keys that it matched at the preview. */
export function isDigestOf(digest: string, action: BulkAction, keys: BulkKeys): boolean {
  return digest === createDigest(action, keys, parsePreviewTime(digest), digest.split('.')[1]);
}

interface KeyQuery extends Pick<BulkRequest, 'action' | 'filter'> {
  readonly timed: TimedFilter;
  readonly issuer: IssuerFilter;
}

/**
 * Leaves out keys that no longer match: a key may have been used, or its expiry changed, since the bulk change was
 * started.
 */
async function filterMatching(
  queries: Queries,
  ids: readonly string[],
  timed: TimedFilter,
): Promise<readonly string[]> {
  const conditions = createTimedConditions(timed);
  if (conditions.length === 0) return ids;
  let query = queries.selectFrom('keys').select('id').where('id', 'in', ids);
  for (const condition of conditions) query = query.where(condition);
  const matchingIds = new Set((await query.execute()).map(({ id }) => id));
  return ids.filter((id) => matchingIds.has(id));
}

interface KeyRow {
  readonly sequence: number;
  readonly id: string;
  readonly quota_id: string;
  readonly last_use: number | null;
}

/** Audit entries with these actions have keys or quotas as their subjects. The column identifies these subjects. */
const SUBJECT_COLUMNS: readonly (readonly ['id' | 'quota_id', ReadonlySet<string>])[] = [
  ['id', new Set(['key.update', 'key.revoke'])],
  ['quota_id', new Set([BAN_START, BAN_LIFT])],
];

function selectEntries(queries: Queries, bulkId: string, after: number) {
  return queries
    .selectFrom('audit')
    .select(['sequence', 'action', 'subject'])
    .where('bulk_id', '=', bulkId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(ROWS_PER_STATEMENT)
    .execute();
}

function hashRequest({ action, filter, seconds }: BulkRequest): string {
  const { owner, plan, search, ids, bulkId, status, state, unusedFor, expiresWithin, kind, token } = filter;
  const fields = [action, seconds, owner, plan, search, ids, bulkId, status, state, unusedFor, expiresWithin];
  // Left out where they are not given, so that gateways of earlier versions compute the same hash.
  if (kind !== undefined || token !== undefined) fields.push(kind, token);
  return hash('sha256', JSON.stringify(fields), 'base64url');
}

async function findByDigest(queries: Queries, digest: string): Promise<BulkChange | null> {
  const row = await queries.selectFrom('bulk_changes').selectAll().where('digest', '=', digest).executeTakeFirst();
  return row === undefined ? null : toBulkChange(row);
}

function toBulkChange(row: Selectable<BulkChangeRow>): BulkChange {
  const { id, seconds, message, key_count: keys, total, done, changed, skipped, request } = row;
  const action = row.action as BulkAction;
  const counts = { keys, total, done, changed, skipped };
  return { id, action, seconds, message, ...counts, matchesRequest: (other) => hashRequest(other) === request };
}

type WriteTx = Parameters<Parameters<typeof makeChange>[2]>[0];

/** The row of a bulk change, locked: no other call can change it until this transaction ends. */
async function lockRow({ tx, dialect }: WriteTx, id: string) {
  await dialect.lock(tx, `bulk:${id}`);
  return tx.selectFrom('bulk_changes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function createPartContext({ id, reason, message }: BulkChangeRow, change: ChangeContext): ChangeContext {
  return { ...change, bulkId: id, reason: change.reason ?? reason, message: change.message ?? message };
}

async function insertBatches(tx: Tx, bulkId: string, targets: readonly string[]): Promise<void> {
  const rows: { bulk_id: string; number: number; key_ids: string }[] = [];
  for (let from = 0; from < targets.length; from += BATCH_SIZE) {
    const keyIds = JSON.stringify(targets.slice(from, from + BATCH_SIZE));
    rows.push({ bulk_id: bulkId, number: rows.length, key_ids: keyIds });
  }
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await tx
      .insertInto('bulk_batches')
      .values(rows.slice(from, from + ROWS_PER_STATEMENT))
      .execute();
  }
}

async function findNextBatch(queries: Queries, bulkId: string): Promise<Pick<BulkBatch, 'number' | 'ids'> | null> {
  const batches = queries.selectFrom('bulk_batches').selectAll().where('bulk_id', '=', bulkId);
  const row = await batches.orderBy('number').limit(1).executeTakeFirst();
  return row === undefined ? null : { number: row.number, ids: JSON.parse(row.key_ids) as string[] };
}

/** @param progress `done`: the number of processed keys of the batch */
async function recordProgress(
  { tx, change }: WriteTx,
  row: Selectable<BulkChangeRow>,
  { number, ids }: Pick<BulkBatch, 'number' | 'ids'>,
  progress: Readonly<Record<'done' | 'changed' | 'skipped', number>>,
): Promise<BulkChange> {
  const remainingIds = ids.slice(progress.done);
  if (progress.done > 0 && remainingIds.length === 0) {
    await tx.deleteFrom('bulk_batches').where('bulk_id', '=', row.id).where('number', '=', number).execute();
  } else if (progress.done > 0) {
    const batch = tx.updateTable('bulk_batches').set({ key_ids: JSON.stringify(remainingIds) });
    await batch.where('bulk_id', '=', row.id).where('number', '=', number).execute();
  }
  const after = {
    done: row.done + progress.done,
    changed: row.changed + progress.changed,
    skipped: row.skipped + progress.skipped,
    updated_at: change.at,
  };
  await tx.updateTable('bulk_changes').set(after).where('id', '=', row.id).execute();
  return toBulkChange({ ...row, ...after });
}

/**
 * Whether another call has already recorded the same ban. Lifts need no such check, because the unique key of their
 * event keeps them from being recorded twice.
 */
async function isRecorded(tx: Tx, entry: NewAuditEntry): Promise<boolean> {
  if (entry.action !== BAN_START) return false;
  const [last] = (await listAudit(tx, { subject: entry.subject, action: BAN_START }, { limit: 1 })).items;
  return last !== undefined && isSameBan(last, entry);
}

async function deleteOldChanges(tx: Tx, before: number): Promise<void> {
  const oldIds = tx.selectFrom('bulk_changes').select('id').where('updated_at', '<', before);
  await tx.deleteFrom('bulk_batches').where('bulk_id', 'in', oldIds).execute();
  await tx.deleteFrom('bulk_changes').where('updated_at', '<', before).execute();
}
