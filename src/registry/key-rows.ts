import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queries, Tx } from '../database/queries.ts';
import type { Dialect } from '../database/dialect.ts';
import type { KeyTable } from '../database/tables.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { planOf } from './plans.ts';
import type { Key, KeyFilter, KeyStatus, KeyWithPlan, Page, PageRequest } from './registry.ts';

/** The `keys` table: rows in and out, no rules. */

export async function keyById(queries: Queries, id: string): Promise<Key | null> {
  const row = await queries.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : keyOf(row);
}

/** Reads key and plan in one query, so that they are consistent. */
export async function keyByHash(queries: Queries, hash: string): Promise<KeyWithPlan | null> {
  const row = await queries
    .selectFrom('keys')
    .leftJoin('plans', 'plans.id', 'keys.plan')
    .selectAll('keys')
    .select([
      'plans.id as plan_id',
      'plans.name as plan_name',
      'plans.description as plan_description',
      'plans.minute_limit as plan_minute_limit',
      'plans.day_limit as plan_day_limit',
      'plans.custom as plan_custom',
      'plans.mode as plan_mode',
      'plans.on_store_failure as plan_on_store_failure',
      'plans.revision as plan_revision',
    ])
    .where('keys.hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.plan_id === null) return { key: keyOf(row), plan: null };
  const plan = planOf({
    id: row.plan_id,
    name: row.plan_name ?? '',
    description: row.plan_description ?? '',
    minute_limit: row.plan_minute_limit,
    day_limit: row.plan_day_limit,
    custom: row.plan_custom ?? 0,
    mode: row.plan_mode ?? '',
    on_store_failure: row.plan_on_store_failure ?? '',
    revision: row.plan_revision ?? 0,
  });
  return { key: keyOf(row), plan };
}

/** Newest first. */
export async function listKeys(
  queries: Queries,
  dialect: Dialect,
  filter: KeyFilter,
  page: PageRequest,
): Promise<Page<Key>> {
  const before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor('keys', page.cursor);
  const limit = page.limit + 1;
  let query = queries.selectFrom('keys').selectAll().where('sequence', '<', before);
  const { search, ...exact } = filter;
  const fields = (['owner', 'plan', 'status'] as const).filter((field) => exact[field] !== undefined);
  for (const field of fields) query = query.where(field, '=', exact[field]!);
  if (search !== undefined)
    query = query.where(dialect.matches(search, fields.length > 0 ? undefined : { limit, before }));
  const rows = await query.orderBy('sequence', 'desc').limit(limit).execute();
  return pageOf('keys', rows, page.limit, (row) => row.sequence, keyOf);
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
  const rows = keys.map((key) => ({ ...fixedColumns(key), ...mutableColumns(key), chain: chain ?? key.id }));
  await tx.insertInto('keys').values(rows).execute();
}

/** Writes the mutable columns of a key, except its last use: see `touchKeys`. */
export async function writeKey(tx: Tx, key: Key): Promise<void> {
  await tx.updateTable('keys').set(mutableColumns(key)).where('id', '=', key.id).execute();
}

export async function touchKeys(tx: Tx, lastUsed: readonly (readonly [id: string, at: number])[]): Promise<void> {
  const values = sql.join(lastUsed.map(([id, at]) => sql`(CAST(${id} AS TEXT), CAST(${at} AS BIGINT))`));
  await sql`
    WITH used (id, at) AS (VALUES ${values})
    UPDATE keys SET last_used_at = used.at FROM used
    WHERE keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`.execute(tx);
}

function keyOf(row: Selectable<KeyTable>): Key {
  const { id, name, owner, plan, minute_limit: minute, day_limit: day, hash, prefix, revision } = row;
  return {
    id,
    name,
    owner,
    plan,
    status: row.status as KeyStatus,
    hash,
    prefix,
    revision,
    limits: minute === null || day === null ? null : { minute, day },
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    quotaId: row.quota_id,
    rotatedTo: row.rotated_to,
  };
}

function mutableColumns({ name, plan, limits, status, metadata, expiresAt, rotatedTo, revision }: Key) {
  return {
    name,
    plan,
    status,
    revision,
    minute_limit: limits?.minute ?? null,
    day_limit: limits?.day ?? null,
    metadata: JSON.stringify(metadata),
    expires_at: expiresAt,
    rotated_to: rotatedTo,
  };
}

function fixedColumns(key: Key) {
  const { id, hash, owner, prefix, lastFour, createdAt, lastUsedAt, quotaId } = key;
  const times = { created_at: createdAt, last_used_at: lastUsedAt };
  return { id, hash, owner, prefix, last_four: lastFour, quota_id: quotaId, ...times } satisfies Partial<
    Insertable<KeyTable>
  >;
}
