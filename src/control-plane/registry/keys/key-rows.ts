import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { KeyStatus } from '../../../base/credential.ts';
import type { Queries, Tx, KeyTable } from '../../../storage/tables.ts';
import type { Key } from './key.ts';

/** The `keys` table: rows in and out, no rules. */

export async function keyById(queries: Queries, id: string): Promise<Key | null> {
  const row = await queries.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : keyOf(row);
}

/** Those that do not exist are left out. */
export async function keysById(queries: Queries, ids: readonly string[]): Promise<Map<string, Key>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.selectFrom('keys').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, keyOf(row)]));
}

/**
 * Keys that expire up to `until`, whatever their status: those that expire first, first.
 *
 * @param after where the page before ended
 */
export async function expiringKeys(
  queries: Queries,
  after: { readonly expiresAt: number; readonly sequence: number },
  until: number,
  limit: number,
): Promise<{ readonly key: Key; readonly sequence: number }[]> {
  const keys = queries.selectFrom('keys').selectAll().where('expires_at', '<=', until);
  const rows = await keys
    .where((eb) => eb(eb.refTuple('expires_at', 'sequence'), '>', eb.tuple(after.expiresAt, after.sequence)))
    .orderBy('expires_at')
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ key: keyOf(row), sequence: row.sequence }));
}

/** The id of a key's rotation chain; null if there is no such key. */
export async function chainOf(queries: Queries, id: string): Promise<string | null> {
  const row = await queries.selectFrom('keys').select('chain').where('id', '=', id).executeTakeFirst();
  return row?.chain ?? null;
}

/** The keys of a rotation chain, oldest first. */
export async function keysOfChain(queries: Queries, chain: string): Promise<Key[]> {
  const rows = await queries.selectFrom('keys').selectAll().where('chain', '=', chain).orderBy('sequence').execute();
  return rows.map(keyOf);
}

export async function insertKeys(tx: Tx, keys: readonly Key[], chain?: string): Promise<void> {
  const rows = keys.map((key) => ({ ...columnsOf(key), chain: chain ?? key.id }));
  await tx.insertInto('keys').values(rows).execute();
}

/** Writes what may change of a key, except its last use: see `touchKeys`. */
export async function writeKey(tx: Tx, key: Key): Promise<void> {
  const { id, hash, owner, prefix, last_four, created_at, quota_id, last_used_at, ...mutable } = columnsOf(key);
  await tx.updateTable('keys').set(mutable).where('id', '=', id).execute();
}

export async function touchKeys(tx: Tx, lastUsed: readonly (readonly [id: string, at: number])[]): Promise<void> {
  await lastUsesUpdate(lastUsed).execute(tx);
}

/**
 * The casts are in the conditions so that SQLite can find the keys only by their index. Given two plain columns, it reads
 * all keys of the registry once it has a few hundred to find.
 */
export function lastUsesUpdate(lastUsed: readonly (readonly [id: string, at: number])[]): RawBuilder<unknown> {
  const values = sql.join(lastUsed.map(([id, at]) => sql`(${id}, ${at})`));
  return sql`
    WITH used (id, at) AS (VALUES ${values})
    UPDATE keys SET last_used_at = CAST(used.at AS BIGINT) FROM used
    WHERE keys.id = CAST(used.id AS TEXT) AND (last_used_at IS NULL OR last_used_at < CAST(used.at AS BIGINT))`;
}

/** Fields of one word have a column of the same name. */
export function keyOf(row: Selectable<KeyTable>): Key {
  const { sequence, chain, minute_limit: minute, day_limit: day, ...columns } = row;
  const { last_four, created_at, expires_at, last_used_at, quota_id, rotated_to, ...same } = columns;
  return {
    ...same,
    status: row.status as KeyStatus,
    limits: minute === null || day === null ? null : { minute, day },
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    lastFour: last_four,
    createdAt: created_at,
    expiresAt: expires_at,
    lastUsedAt: last_used_at,
    quotaId: quota_id,
    rotatedTo: rotated_to,
  };
}

/** Names each field, so that a secret passed along with a key is never stored. */
function columnsOf(key: Key) {
  const { id, hash, name, owner, plan, status, prefix, limits, revision } = key;
  return {
    id,
    hash,
    name,
    owner,
    plan,
    status,
    prefix,
    revision,
    minute_limit: limits?.minute ?? null,
    day_limit: limits?.day ?? null,
    metadata: JSON.stringify(key.metadata),
    last_four: key.lastFour,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    quota_id: key.quotaId,
    rotated_to: key.rotatedTo,
  } satisfies Record<Exclude<keyof KeyTable, 'sequence' | 'chain'>, unknown>;
}
