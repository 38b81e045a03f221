import { setImmediate } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import { isExactly } from '../../storage/index-order.ts';
import type { Queries } from '../../storage/tables.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import { announceKeys } from '../registry/invalidation.ts';

// Consumers can create any number of keys over time. So an account keeps only the newest of its ended keys, which can
// never be used again.

/** Number of ended keys (revoked or expired) that each account keeps. */
export const MAX_ENDED_KEYS = 1000;
/** Younger keys still count for `getMaxNewKeysPerDay`, so they are not deleted. */
const MIN_AGE_MS = DAY_MS;

const ACCOUNTS_PER_PAGE = 100;
/** Keys per transaction. The number is small because requests on SQLite wait until the transaction ends. */
const KEYS_PER_BATCH = 50;

type History = Pick<HistoryStore, 'forgetUnused'>;

/**
 * Deletes the oldest ended keys of each account, except keys that appear in the history. A rotation chain is deleted
 * only if all its keys have ended. The audit log keeps the entries of deleted keys. Every gateway runs this, and the
 * first one does the work for all.
 *
 * @returns the number of keys that were deleted
 */
export async function deleteEndedKeys(
  database: Database,
  history: History,
  now: number,
  isStopped: () => boolean,
): Promise<number> {
  let total = 0;
  let after = 0;
  while (!isStopped()) {
    const page = await database.read((queries) => listAccountsAfter(queries, after));
    const last = page.at(-1);
    if (last === undefined) break;
    for (const { quotaId } of page) {
      if (isStopped()) break;
      total += await deleteEndedKeysOnQuota(quotaId, { database, history, now, isStopped });
    }
    after = last.sequence;
    await setImmediate();
  }
  return total;
}

interface DeletionContext {
  readonly database: Database;
  readonly history: History;
  readonly now: number;
  readonly isStopped: () => boolean;
}

async function deleteEndedKeysOnQuota(
  quotaId: string,
  { database, history, now, isStopped }: DeletionContext,
): Promise<number> {
  const oldestKept = await database.read((queries) => findOldestKept(queries, quotaId, now));
  if (oldestKept === null) return 0;
  let deleted = 0;
  let after = 0;
  while (!isStopped()) {
    const page = await database.read((queries) => findEndedKeys(queries, quotaId, { after, before: oldestKept, now }));
    const last = page.at(-1);
    if (last === undefined) break;
    const ids = page.map(({ id }) => id);
    const unused = await history.forgetUnused(ids, now);
    if (unused.length > 0) deleted += await deleteKeys(database, unused, now);
    after = last.sequence;
    await setImmediate();
  }
  return deleted;
}

async function listAccountsAfter(queries: Queries, after: number): Promise<{ quotaId: string; sequence: number }[]> {
  const accounts = queries.selectFrom('accounts').select(['quota_id as quotaId', 'sequence']);
  return accounts.where('sequence', '>', after).orderBy('sequence').limit(ACCOUNTS_PER_PAGE).execute();
}

/**
 * The sequence of the oldest ended key that the account keeps; null if the account has fewer ended keys than it may
 * keep.
 */
async function findOldestKept(queries: Queries, quotaId: string, now: number): Promise<number | null> {
  const keys = queries.selectFrom('keys').select('sequence').where(isExactly('quota_id', quotaId));
  const row = await keys
    .where(hasEnded('keys', now))
    .where('token_issuer', 'is', null)
    .orderBy('quota_id', 'desc')
    .orderBy('sequence', 'desc')
    .offset(MAX_ENDED_KEYS - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.sequence ?? null;
}

interface SequenceRange {
  /** Sequences. Both bounds are exclusive. */
  readonly after: number;
  readonly before: number;
  readonly now: number;
}

/** Keys whose whole rotation chain has ended, oldest first. */
function findEndedKeys(
  queries: Queries,
  quotaId: string,
  { after, before, now }: SequenceRange,
): Promise<{ id: string; sequence: number }[]> {
  return (
    queries
      .selectFrom('keys')
      .select(['id', 'sequence'])
      // The columns are compared as a tuple, so that reading the index begins where the last page ended.
      .where((eb) => eb(eb.refTuple('quota_id', 'sequence'), '>', eb.tuple(quotaId, after)))
      .where((eb) => eb(eb.refTuple('quota_id', 'sequence'), '<', eb.tuple(quotaId, before)))
      .where('created_at', '<=', now - MIN_AGE_MS)
      // A revoked caller with access tokens stays, so that its next token does not create it again.
      .where('token_issuer', 'is', null)
      .where(hasEnded('keys', now))
      .where((eb) => {
        const chainKeys = eb.selectFrom('keys as other').select('other.id').whereRef('other.chain', '=', 'keys.chain');
        return eb.not(eb.exists(chainKeys.where(eb.not(hasEnded('other', now)))));
      })
      .orderBy('quota_id')
      .orderBy('sequence')
      .limit(KEYS_PER_BATCH)
      .execute()
  );
}

/** Skips keys whose expiry was extended in the meantime. */
function deleteKeys(database: Database, ids: readonly string[], now: number): Promise<number> {
  return database.transaction(async (tx, announce) => {
    const keys = tx.deleteFrom('keys').where('id', 'in', ids).where(hasEnded('keys', now));
    const deleted = await keys.returning('hash').execute();
    announceKeys(
      announce,
      deleted.map(({ hash }) => hash),
    );
    return deleted.length;
  });
}

function hasEnded(table: string, now: number) {
  const [status, expiresAt] = [sql.ref(`${table}.status`), sql.ref(`${table}.expires_at`)];
  return sql<SqlBool>`(${status} = 'revoked' OR coalesce(${expiresAt} <= ${now}, false))`;
}
