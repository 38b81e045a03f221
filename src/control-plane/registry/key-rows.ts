import { type CompiledQuery, type InferResult, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Credential, KeyKind, KeyStatus } from '../../domain/credential.ts';
import type { Mode, OnStoreFailure } from '../../domain/quota-limits.ts';
import type { KeyTable, Queries, Tx } from '../../storage/tables.ts';
import { toCredential, type Key, type StoredToken } from './key.ts';
import { parseList, toLimits, serializeList } from './plan-rows.ts';

/**
 * Reads and writes rows of the `keys` table. Contains no business rules.
 *
 * Versions that do not know callers with access tokens may run beside this one, and take a caller for a key with a
 * secret. For them, its row has no operations, so that their *Try it* cannot call as the caller, and a chain that accepts
 * no second key, so that they cannot rotate it.
 */

/** The column `operations` of a caller. Other keys have a list that is not empty, or null. */
const NO_OPERATIONS = '[]';
const CALLER_CHAIN = 'token:';

export async function findKeyById(queries: Queries, id: string): Promise<Key | null> {
  const row = await queries.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toKey(row);
}

/** Keys that have operations of their own and are not revoked. Reads no other columns, because there may be many keys. */
export async function listKeysWithOperations(
  queries: Queries,
  limit: number,
): Promise<Pick<Key, 'id' | 'operations'>[]> {
  const keys = queries
    .selectFrom('keys')
    .select(['id', 'operations', 'token_operations'])
    .where(sql`coalesce(nullif(operations, ${NO_OPERATIONS}), token_operations)`, 'is not', null);
  const rows = await keys.where('status', '<>', 'revoked').orderBy('sequence').limit(limit).execute();
  return rows.map((row) => ({ id: row.id, operations: toOperations(row) }));
}

/** The keys with these ids. Ids that do not exist are left out. */
export async function findKeysById(queries: Queries, ids: readonly string[]): Promise<Map<string, Key>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.selectFrom('keys').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, toKey(row)]));
}

/**
 * Keys of any status that expire at or before `until`, in the order of expiry.
 *
 * @param after where the previous page ended
 */
export async function listExpiringKeys(
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
  return rows.map((row) => ({ key: toKey(row), sequence: row.sequence }));
}

/** The id of a key's rotation chain; null if there is no such key. */
export async function findChain(queries: Queries, id: string): Promise<string | null> {
  const row = await queries.selectFrom('keys').select('chain').where('id', '=', id).executeTakeFirst();
  return row?.chain ?? null;
}

/** The rotation chains of these keys, by key, in the order of `ids`. Keys that do not exist are left out. */
export async function findChains(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries.selectFrom('keys').select(['id', 'chain']).where('id', 'in', ids).execute();
  const chains = new Map(rows.map(({ id, chain }) => [id, chain]));
  return new Map(ids.flatMap((id) => (chains.has(id) ? [[id, chains.get(id) ?? '']] : [])));
}

/** The keys of a rotation chain, oldest first. */
export async function findKeysOfChain(queries: Queries, chain: string): Promise<Key[]> {
  return (await findKeysOfChains(queries, [chain])).get(chain) ?? [];
}

/** The keys of rotation chains, by chain, oldest first. */
export async function findKeysOfChains(queries: Queries, chains: readonly string[]): Promise<Map<string, Key[]>> {
  const keysByChain = new Map<string, Key[]>();
  if (chains.length === 0) return keysByChain;
  const keys = queries.selectFrom('keys').selectAll().where('chain', 'in', chains);
  for (const row of await keys.orderBy('sequence').execute()) {
    const chainKeys = keysByChain.get(row.chain);
    if (chainKeys === undefined) keysByChain.set(row.chain, [toKey(row)]);
    else chainKeys.push(toKey(row));
  }
  return keysByChain;
}

export async function insertKeys(tx: Tx, keys: readonly Key[], chain?: string): Promise<void> {
  const rows = keys.map((key) => ({ ...toColumns(key), chain: chain ?? newChain(key) }));
  await tx.insertInto('keys').values(rows).execute();
}

function newChain({ id, kind }: Key): string {
  return kind === 'token' ? CALLER_CHAIN + id : id;
}

/**
 * Writes the changed columns of a key, except its last use (see `touchKeys`). Writing an unchanged column would also
 * update its indexes, and updating the search index is expensive.
 */
export async function writeKey(tx: Tx, before: Key, after: Key): Promise<void> {
  const previous = new Map<string, unknown>(Object.entries(toColumns(before)));
  const columns = toColumns(after);
  const changed = Object.entries(columns).filter(([column, value]) => value !== previous.get(column));
  const { operations, token_operations } = columns;
  // An older version may have written a caller's operations to the wrong column.
  const callerColumns = after.kind === 'token' ? { operations, token_operations } : {};
  const clearedNotes = after.quietSince === null ? { last_used_from: null, unreported_until: null } : {};
  await tx
    .updateTable('keys')
    .set({ ...Object.fromEntries(changed), ...callerColumns, ...clearedNotes })
    .where('id', '=', after.id)
    .execute();
}

/** Ids that do not exist are left out. */
export function findSequences(queries: Queries, ids: readonly string[]): Promise<{ id: string; sequence: number }[]> {
  return queries.selectFrom('keys').select(['id', 'sequence']).where('id', 'in', ids).execute();
}

export async function touchKeys(tx: Tx, lastUsed: readonly (readonly [sequence: number, at: number])[]): Promise<void> {
  await buildLastUsesUpdate(lastUsed).execute(tx);
}

/**
 * If both sides of the comparison are plain columns, SQLite scans the whole table as soon as it has a few hundred keys
 * to find. The casts in the conditions make it use the index.
 */
export function buildLastUsesUpdate(
  lastUsed: readonly (readonly [sequence: number, at: number])[],
): RawBuilder<unknown> {
  const values = sql.join(lastUsed.map(([sequence, at]) => sql`(${sequence}, ${at})`));
  return sql`
    WITH used (sequence, at) AS (VALUES ${values})
    UPDATE keys SET last_used_at = CAST(used.at AS BIGINT) FROM used
    WHERE keys.sequence = CAST(used.sequence AS BIGINT) AND (last_used_at IS NULL OR last_used_at < CAST(used.at AS BIGINT))`;
}

/**
 * Records the networks that keys were last used from, but only for keys that have been replaced until quiet.
 *
 * @param uses `at` is the time that `touchKeys` recorded before this call
 */
export async function noteNetworks(
  tx: Tx,
  uses: readonly (readonly [id: string, network: string, at: number])[],
): Promise<void> {
  const values = sql.join(uses.map(([id, network, at]) => sql`(${id}, ${network}, ${at})`));
  await sql`
    WITH used (id, network, at) AS (VALUES ${values})
    UPDATE keys SET last_used_from = CAST(used.network AS TEXT) FROM used
    WHERE keys.id = CAST(used.id AS TEXT) AND quiet_since IS NOT NULL
    AND (last_used_at IS NULL OR last_used_at <= CAST(used.at AS BIGINT))`.execute(tx);
}

/** A key that has been replaced until quiet. */
interface KeyToBeQuiet {
  readonly key: Key;
  readonly sequence: number;
}

/**
 * Keys that have been replaced until quiet, whatever their status, oldest first.
 *
 * @param after the sequence of the last key of the previous page
 */
export async function listKeysAwaitingSilence(queries: Queries, after: number, limit: number): Promise<KeyToBeQuiet[]> {
  const keys = queries.selectFrom('keys').selectAll().where('quiet_since', 'is not', null);
  const rows = await keys.where('sequence', '>', after).orderBy('sequence').limit(limit).execute();
  return rows.map((row) => ({ key: toKey(row), sequence: row.sequence }));
}

/** Older keys of the same chain that have been replaced until quiet, oldest first. */
export async function listKeysWaitingBefore(queries: Queries, id: string, limit: number): Promise<Key[]> {
  const keyRow = await queries.selectFrom('keys').select(['chain', 'sequence']).where('id', '=', id).executeTakeFirst();
  if (keyRow === undefined) return [];
  const chain = queries.selectFrom('keys').selectAll().where('chain', '=', keyRow.chain);
  const waitingKeys = chain.where('sequence', '<', keyRow.sequence).where('quiet_since', 'is not', null);
  return (await waitingKeys.orderBy('sequence').limit(limit).execute()).map(toKey);
}

export function toKey(row: Omit<Selectable<KeyTable>, 'sequence' | 'chain'>): Key {
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    owner: row.owner,
    plan: row.plan,
    limits: toLimits(row),
    concurrent: row.concurrent,
    operations: toOperations(row),
    addresses: parseList(row.addresses),
    ...toKind(row),
    validation: row.validation as Key['validation'],
    prefix: row.prefix,
    lastFour: row.last_four,
    externalId: row.external_id,
    status: row.status as KeyStatus,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    quotaId: row.quota_id,
    rotatedTo: row.rotated_to,
    quietSince: row.quiet_since,
    revision: row.revision,
  };
}

type KindColumns = Pick<
  Selectable<KeyTable>,
  'foreign_secret' | 'token_name' | 'token_issuer' | 'token_claim' | 'token_caller'
>;

function toKind(row: KindColumns): { readonly kind: KeyKind; readonly token: StoredToken | null } {
  const { token_name: name, token_issuer: issuer, token_claim: claim, token_caller: caller } = row;
  if (name === null || issuer === null || claim === null || caller === null) {
    return { kind: row.foreign_secret === 1 ? 'foreign' : 'secret', token: null };
  }
  return { kind: 'token', token: { name, issuer, claim, caller } };
}

/** If an older version has changed the operations of a caller, its change applies. */
function toOperations(row: Pick<Selectable<KeyTable>, 'operations' | 'token_operations'>): Key['operations'] {
  return parseList(row.operations === NO_OPERATIONS ? row.token_operations : row.operations);
}

/** Copies each column by name, so that a secret passed along with a key is never stored. */
function toColumns(key: Key) {
  return {
    id: key.id,
    hash: key.hash,
    name: key.name,
    owner: key.owner,
    plan: key.plan,
    status: key.status,
    prefix: key.prefix,
    revision: key.revision,
    minute_limit: key.limits?.minute ?? null,
    day_limit: key.limits?.day ?? null,
    month_limit: key.limits?.month ?? null,
    concurrent: key.concurrent,
    metadata: JSON.stringify(key.metadata),
    operations: key.kind === 'token' ? NO_OPERATIONS : serializeList(key.operations),
    token_operations: key.kind === 'token' ? serializeList(key.operations) : null,
    addresses: serializeList(key.addresses),
    validation: key.validation,
    last_four: key.lastFour,
    external_id: key.externalId,
    foreign_secret: key.kind === 'foreign' ? 1 : 0,
    token_name: key.token?.name ?? null,
    token_issuer: key.token?.issuer ?? null,
    token_claim: key.token?.claim ?? null,
    token_caller: key.token?.caller ?? null,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    quota_id: key.quotaId,
    rotated_to: key.rotatedTo,
    quiet_since: key.quietSince,
  } satisfies Record<Exclude<keyof KeyTable, 'sequence' | 'chain' | 'last_used_from' | 'unreported_until'>, unknown>;
}

type CredentialRow = InferResult<ReturnType<typeof selectForCredential>>[number];

/**
 * The compiled query of `findCredentialByHash`, per database. On SQLite, building and compiling the query takes longer
 * than running it. If more keys are in use than fit into the cache, many requests would wait for that.
 */
const compiledQueries = new WeakMap<Queries, CompiledQuery<CredentialRow>>();

/** Reads a key and its plan for the request path, in one query so that they are consistent. */
export async function findCredentialByHash(queries: Queries, hash: string): Promise<Credential | null> {
  let query = compiledQueries.get(queries);
  if (query === undefined) compiledQueries.set(queries, (query = selectForCredential(queries, hash).compile()));
  // The hash is the only parameter of the query.
  const { rows } = await queries.executeQuery<CredentialRow>({ ...query, parameters: [hash] });
  const row = rows[0];
  if (row === undefined) return null;
  const key = {
    id: row.id,
    ...toKind(row),
    quotaId: row.quota_id,
    owner: row.owner,
    plan: row.plan,
    limits: toLimits(row),
    concurrent: row.concurrent,
    validation: row.validation as Key['validation'],
    status: row.status as KeyStatus,
    expiresAt: row.expires_at,
    quietSince: row.quiet_since,
    operations: toOperations(row),
    addresses: parseList(row.addresses),
  };
  if (row.plan_id === null) return toCredential(key, null);
  const { plan_minute_limit, plan_day_limit, plan_month_limit } = row;
  return toCredential(key, {
    limits: toLimits({ minute_limit: plan_minute_limit, day_limit: plan_day_limit, month_limit: plan_month_limit }),
    concurrent: row.plan_concurrent,
    custom: row.plan_custom === 1,
    mode: row.plan_mode as Mode,
    onStoreFailure: row.plan_on_store_failure as OnStoreFailure,
    operations: parseList(row.plan_operations),
  });
}

function selectForCredential(queries: Queries, hash: string) {
  return queries
    .selectFrom('keys')
    .leftJoin('plans', 'plans.id', 'keys.plan')
    .select([
      'keys.id',
      'keys.quota_id',
      'keys.owner',
      'keys.plan',
      'keys.status',
      'keys.expires_at',
      'keys.quiet_since',
    ])
    .select(['keys.minute_limit', 'keys.day_limit', 'keys.month_limit', 'keys.concurrent'])
    .select(['keys.operations', 'keys.addresses', 'keys.validation', 'keys.foreign_secret'])
    .select(['keys.token_name', 'keys.token_issuer', 'keys.token_claim', 'keys.token_caller'])
    .select(['keys.token_operations'])
    .select(['plans.id as plan_id', 'plans.custom as plan_custom', 'plans.mode as plan_mode'])
    .select(['plans.on_store_failure as plan_on_store_failure', 'plans.operations as plan_operations'])
    .select(['plans.minute_limit as plan_minute_limit', 'plans.day_limit as plan_day_limit'])
    .select(['plans.month_limit as plan_month_limit', 'plans.concurrent as plan_concurrent'])
    .where('keys.hash', '=', hash);
}

/** The fields that are compared to detect that a key is about to be created twice. */
export type SimilarKeyFields = Pick<Key, 'owner' | 'name' | 'plan'>;

export async function findSimilarKeys(queries: Queries, keys: readonly SimilarKeyFields[]): Promise<(string | null)[]> {
  const listValues = (field: keyof SimilarKeyFields) => [...new Set(keys.map((key) => key[field]))];
  const rows = await queries
    .selectFrom('keys')
    .select(['id', 'owner', 'name', 'plan'])
    .where('owner', 'in', listValues('owner'))
    .where('name', 'in', listValues('name'))
    .where('status', '<>', 'revoked')
    .execute();
  const identify = ({ owner, name, plan }: SimilarKeyFields) => JSON.stringify([owner, name, plan]);
  const ids = new Map(rows.map((row) => [identify(row), row.id]));
  return keys.map((key) => ids.get(identify(key)) ?? null);
}

/** Whether a key was created for a caller whose access token named this owner. */
export async function isCallerOwner(queries: Queries, owner: string): Promise<boolean> {
  const keys = queries.selectFrom('keys').select('id').where('owner', '=', owner);
  const named = keys.where(sql`token_name || ':' || token_caller`, '=', owner);
  return (await named.limit(1).executeTakeFirst()) !== undefined;
}

/** The fields that show whether a key has been imported before. */
export type KeyIdentity = Pick<Key, 'owner' | 'externalId' | 'hash'>;

/** Keys of any status that have the same hash, or the same owner and external id, as one of `identities`. */
export async function findImportedKeys(queries: Queries, identities: readonly KeyIdentity[]): Promise<Key[]> {
  const hashes = identities.map(({ hash }) => hash);
  const keysWithHash = await queries.selectFrom('keys').selectAll().where('hash', 'in', hashes).execute();
  const byOwner = Map.groupBy(
    identities.filter(({ externalId }) => externalId !== null),
    ({ owner }) => owner,
  );
  const rows = [...keysWithHash];
  for (const [owner, keys] of byOwner) {
    const ids = keys.map(({ externalId }) => externalId);
    const ownerKeys = queries.selectFrom('keys').selectAll().where('owner', '=', owner);
    rows.push(...(await ownerKeys.where('external_id', 'in', ids).execute()));
  }
  return rows.map(toKey);
}

/** Hashes of imported secrets that do not have Tollgate's format, oldest key first. */
export async function listForeignHashes(queries: Queries, after: number, limit: number) {
  const keys = queries.selectFrom('keys').select(['hash', 'sequence as position']).where('foreign_secret', '=', 1);
  return keys.where('sequence', '>', after).orderBy('sequence').limit(limit).execute();
}
