import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { RegistryError } from '../../domain/registry-error.ts';
import { callerOwner } from '../../domain/token-caller.ts';
import { DAY_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { Queries, Tx } from '../../storage/tables.ts';
import { deleteEvents } from '../events/prune-events.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import { appendAuditEntry, type ChangeContext, listAudit } from '../registry/audit-log.ts';
import { announceKeys } from '../registry/invalidation.ts';
import { findKeyById } from '../registry/key-rows.ts';
import { type Key, createKeyNotFoundError } from '../registry/key.ts';
import { makeChange } from '../registry/write-context.ts';

/**
 * Deletes callers with access tokens: those that nobody uses or has changed, and those that an operator wants to be
 * forgotten.
 */

/** Callers that are unused for this long are deleted, and so are the revoked callers of issuers not configured since. */
const UNUSED_MS = 90 * DAY_MS;
/** Keys or events per transaction. The number is small because requests on SQLite wait until the transaction ends. */
const BATCH = 50;
/** Gateways record calls later than they admit them, so the history of forgotten callers is deleted again. */
const REPEAT_DELETION_AFTER_MS = 2 * DAY_MS;

type History = Pick<HistoryStore, 'deleteKeys'>;

/**
 * Deletes callers that were not used for 90 days and that no operator has touched. A revoked caller stays, so that its
 * next token does not create it again. It is only deleted 90 days after the last gateway had its issuer configured.
 *
 * @param issuers `tokens[].issuer`
 * @returns the number of deleted callers
 */
export async function deleteUnusedCallers(
  database: Database,
  issuers: readonly string[],
  now: number,
  isStopped: () => boolean,
): Promise<number> {
  await database.transaction((tx) => recordIssuers(tx, issuers, now));
  let total = 0;
  let after = 0;
  while (!isStopped()) {
    const page = await database.read((queries) => unusedCallers(queries, after, now).execute());
    const last = page.at(-1);
    if (last === undefined) break;
    total += await database.transaction(async (tx, announce) => {
      // The conditions are checked again: a caller may have been used or changed since it was read.
      const sequences = page.map(({ sequence }) => sequence);
      const unused = await unusedCallers(tx, after, now).where('sequence', 'in', sequences).execute();
      if (unused.length === 0) return 0;
      const deleteKeys = tx.deleteFrom('keys').where(
        'sequence',
        'in',
        unused.map(({ sequence }) => sequence),
      );
      const deleted = await deleteKeys.returning('hash').execute();
      announceKeys(
        announce,
        deleted.map(({ hash }) => hash),
      );
      return deleted.length;
    });
    after = last.sequence;
    await setImmediate();
  }
  return total;
}

/** Records when each issuer was last configured. The time of one that is missing begins now. */
async function recordIssuers(tx: Tx, issuers: readonly string[], now: number): Promise<void> {
  for (const issuer of issuers) {
    const row = { issuer, configured_at: now };
    const insert = tx.insertInto('token_issuers').values(row);
    await insert.onConflict((found) => found.column('issuer').doUpdateSet({ configured_at: now })).execute();
  }
  await sql`INSERT INTO token_issuers (issuer, configured_at)
    SELECT DISTINCT token_issuer, CAST(${now} AS BIGINT) FROM keys WHERE token_issuer IS NOT NULL
    ON CONFLICT DO NOTHING`.execute(tx);
}

function unusedCallers(queries: Queries, after: number, now: number) {
  const before = now - UNUSED_MS;
  return queries
    .selectFrom('keys')
    .select(['id', 'sequence'])
    .where(sql<SqlBool>`token_issuer IS NOT NULL`)
    .where('sequence', '>', after)
    .where(sql<SqlBool>`coalesce(last_used_at, created_at) <= ${before}`)
    .where(
      sql<SqlBool>`((status <> 'revoked' AND NOT EXISTS (SELECT 1 FROM audit WHERE subject = keys.id AND actor <> 'system'))
        OR (status = 'revoked' AND NOT EXISTS (
          SELECT 1 FROM token_issuers WHERE issuer = keys.token_issuer AND configured_at > ${before})))`,
    )
    .orderBy('sequence')
    .limit(BATCH);
}

/**
 * Deletes a caller, and what names it: its history and explanations, its events with their deliveries, and its entries
 * in the audit log. One entry, which has only the id, says that the caller was forgotten. If this is interrupted, it
 * can be repeated.
 *
 * @throws RegistryError `key_not_found`; `conflict` if the key has a secret
 */
export async function forgetCaller(
  database: Database,
  history: History,
  id: string,
  change: ChangeContext,
): Promise<Key> {
  const key = await database.read((queries) => findKeyById(queries, id));
  if (key === null) throw createKeyNotFoundError(id);
  if (key.token === null) {
    throw new RegistryError('conflict', `key ${id} has a secret, and only callers can be forgotten: revoke it instead`);
  }
  await history.deleteKeys([id]);
  for (let deleted = BATCH; deleted === BATCH;) {
    deleted = await database.transaction((tx) => deleteEventsAbout(tx, key));
    await setImmediate();
  }
  await makeChange(database, change, async (context) => {
    const { tx, announce } = context;
    while ((await deleteEventsAbout(tx, key)) > 0);
    await tx.deleteFrom('portal_sessions').where('key_id', '=', id).execute();
    await tx.deleteFrom('keys').where('id', '=', id).execute();
    await deleteAuditEntries(tx, key);
    await appendAuditEntry(context, id, 'key.forget', {});
    announceKeys(announce, [key.hash]);
  });
  return key;
}

/** Deletes again what gateways have since recorded about callers that were forgotten. */
export async function deleteForgottenHistory(database: Database, history: History, now: number): Promise<void> {
  const filter = { action: 'key.forget', from: now - REPEAT_DELETION_AFTER_MS };
  let cursor: string | undefined;
  do {
    const page = await database.read((queries) => listAudit(queries, filter, { limit: BATCH, cursor }));
    if (page.items.length > 0) await history.deleteKeys(page.items.map(({ subject }) => subject));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Whether the owner of this key is the caller itself, and not an account. */
function hasOwnOwner({ owner, token }: Key): boolean {
  return token !== null && owner === callerOwner({ name: token.name, value: token.caller });
}

/** @returns the number of deleted events, at most `BATCH` */
async function deleteEventsAbout(tx: Tx, key: Key): Promise<number> {
  const isAboutKey = hasOwnOwner(key) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`data LIKE ${`%"${key.id}"%`}`;
  const bySubject = tx.selectFrom('events').select('id').where('subject', '=', key.id);
  const byOwner = tx.selectFrom('events').select('id').where('owner', '=', key.owner).where(isAboutKey);
  const rows = await bySubject.union(byOwner).limit(BATCH).execute();
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  await deleteEvents(tx, ids);
  return ids.length;
}

/** Bulk changes keep their entries, without the filter, if it names the caller. */
async function deleteAuditEntries(tx: Tx, key: Key): Promise<void> {
  const subjects = hasOwnOwner(key) ? [key.id, key.owner] : [key.id];
  await tx.deleteFrom('audit').where('subject', 'in', subjects).execute();
  const names = subjects.map((text) => sql<SqlBool>`("before" LIKE ${quoted(text)} OR "after" LIKE ${quoted(text)})`);
  await tx
    .updateTable('audit')
    .set({ before: null, after: null, reason: null })
    .where('action', '=', 'bulk.start')
    .where(sql<SqlBool>`(${sql.join(names, sql` OR `)})`)
    .execute();
}

/** A LIKE pattern for JSON that contains a text. Its wildcards only make it match more. */
function quoted(text: string): string {
  return `%${JSON.stringify(text)}%`;
}
