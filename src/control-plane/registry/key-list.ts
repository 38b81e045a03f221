import { setImmediate } from 'node:timers/promises';
import { type Expression, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import {
  decodePosition,
  decodeSequence,
  type Page,
  toPage,
  type PageRequest,
  formatSortPosition,
} from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import { isAfter } from '../../storage/sorted-page.ts';
import type { KeyTable, Queries } from '../../storage/tables.ts';
import type { Key, KeyFilter, KeyOrder, KeyPage, KeySort, TimedFilter } from './key.ts';
import { toKey } from './key-rows.ts';

/** Pages of keys, with filters, a search and several orders. */

const NEWEST_FIRST: KeyOrder = { by: 'createdAt', descending: true };

/** Maximum number of keys to count. Counting them takes a few milliseconds, during which SQLite serves nothing else. */
const MAX_COUNTED = 200_000;
/**
 * Number of search matches that are checked against the other filters first. If they do not fill a page, all matches
 * are checked.
 */
const NEWEST_MATCHES = 1000;
/** Sort value of keys that never expire: later than any other expiry. */
const NEVER = Number.MAX_SAFE_INTEGER;

type Row = Selectable<KeyTable> & { readonly sort_value: string | number };

/**
 * The columns that lists of keys can be sorted by. Each has an index, except the last use, because it changes with
 * every use of a key.
 */
const SORT_COLUMNS: Readonly<Record<KeySort, RawBuilder<string | number>>> = {
  createdAt: sql`sequence`,
  name: sql`lower(name)`,
  owner: sql`owner`,
  plan: sql`plan`,
  status: sql`status`,
  expiresAt: sql`coalesce(expires_at, ${sql.lit(NEVER)})`,
  // A key that was never used is sorted as if it had been used before all others.
  lastUsedAt: sql`coalesce(last_used_at, 0)`,
};
const NUMERIC_SORTS: ReadonlySet<KeySort> = new Set(['createdAt', 'expiresAt', 'lastUsedAt']);

type KeyDatabase = Pick<Database, 'read' | 'dialect'>;

/** A key that exists during the whole listing appears on exactly one page, unless its sort value changes meanwhile. */
export function listKeys(
  database: KeyDatabase,
  filter: KeyFilter,
  page: PageRequest,
  order: KeyOrder = NEWEST_FIRST,
): Promise<KeyPage> {
  const conditions = createConditions(filter);
  const isNewestFirst = order.by === 'createdAt' && order.descending;
  if (isNewestFirst && conditions.length === 0) return listNewestKeys(database, filter, page);
  return scanKeys(database, filter, { conditions, order }, page);
}

async function listNewestKeys(
  database: KeyDatabase,
  filter: KeyFilter,
  { limit, cursor }: PageRequest,
): Promise<KeyPage> {
  const { search } = filter;
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeSequence('keys', cursor);
  const filters = createFilters(filter);
  const findRows = (queries: Queries, matching?: Expression<SqlBool>) => {
    let query = queries.selectFrom('keys').selectAll().where('sequence', '<', before);
    for (const filter of filters) query = query.where(filter);
    if (matching !== undefined) query = query.where(matching);
    return query
      .orderBy('sequence', 'desc')
      .limit(limit + 1)
      .execute();
  };
  const newest = { before, matches: filters.length > 0 ? NEWEST_MATCHES : limit + 1 };
  const { dialect } = database;
  const rows = await database.read(async (queries) => {
    const firstRows = await findRows(queries, search === undefined ? undefined : dialect.matches(search, newest));
    return search !== undefined && firstRows.length <= limit ? findRows(queries, dialect.matches(search)) : firstRows;
  });
  const page = toPage('keys', rows, limit, (row) => row.sequence, toKey);
  return { ...page, total: await countTotal(database, search === undefined ? filters : null, page, cursor) };
}

interface Scan {
  readonly conditions: readonly Expression<SqlBool>[];
  readonly order: KeyOrder;
}

/**
 * Reads the keys in slices, so that SQLite can serve other queries between two slices. A single query is enough on
 * PostgreSQL, or if an index has the keys in this order.
 */
async function scanKeys(
  database: KeyDatabase,
  filter: KeyFilter,
  { conditions, order }: Scan,
  { limit, cursor }: PageRequest,
): Promise<KeyPage> {
  const { search } = filter;
  const list = order.descending ? `keys -${order.by}` : `keys ${order.by}`;
  const column = SORT_COLUMNS[order.by];
  const after = cursor === undefined ? null : decodePosition(list, cursor, NUMERIC_SORTS.has(order.by));
  const filters = createFilters(filter);
  const isCountable = search === undefined && conditions.length === 0;
  const isIndexed = order.by !== 'lastUsedAt' && isCountable && filters.length === 0;
  const { dialect } = database;
  const sliceSize = isIndexed ? null : dialect.maxScannedRows;
  const direction = order.descending ? 'desc' : 'asc';

  const findRows = (queries: Queries, before: number) => {
    let query = queries.selectFrom('keys').selectAll().select(column.as('sort_value'));
    if (sliceSize !== null) query = query.where('sequence', '<', before).where('sequence', '>=', before - sliceSize);
    for (const filter of filters) query = query.where(filter);
    for (const condition of conditions) query = query.where(condition);
    if (search !== undefined) {
      query = query.where(dialect.matches(search, sliceSize === null ? undefined : { before, matches: sliceSize }));
    }
    if (after !== null) query = query.where(isAfter(column, after, order.descending));
    return query
      .orderBy(column, direction)
      .orderBy('sequence', direction)
      .limit(limit + 1)
      .execute();
  };

  let rows: Row[] = [];
  let before = sliceSize === null ? 1 : (await database.read(findHighestSequence)) + 1;
  // All keys of a slice are newer than all keys of the next slice.
  const hasEnough = () => order.by === 'createdAt' && order.descending && rows.length > limit;
  while (before > 0 && !hasEnough()) {
    const end = before;
    rows = mergeRows(rows, await database.read((queries) => findRows(queries, end)), order.descending).slice(
      0,
      limit + 1,
    );
    before -= sliceSize ?? 1;
    await setImmediate();
  }
  const formatPosition = (row: Row) => formatSortPosition(row.sort_value, row.sequence);
  const page = toPage(list, rows, limit, formatPosition, ({ sort_value, ...row }) => toKey(row));
  return { ...page, total: await countTotal(database, isCountable ? filters : null, page, cursor) };
}

/** Merges two slices. Only SQLite reads in slices, so texts are compared by their bytes, as SQLite compares them. */
function mergeRows(rows: readonly Row[], newRows: readonly Row[], descending: boolean): Row[] {
  if (rows.length === 0) return [...newRows];
  const sign = descending ? -1 : 1;
  return [...rows, ...newRows].toSorted(
    (a, b) => sign * (compareValues(a.sort_value, b.sort_value) || a.sequence - b.sequence),
  );
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

export async function findHighestSequence(queries: Queries): Promise<number> {
  const newest = await queries.selectFrom('keys').select('sequence').orderBy('sequence', 'desc').executeTakeFirst();
  return newest?.sequence ?? 0;
}

/** The conditions that have no index. If some depend on the time, and the filter has no status, revoked keys are left out. */
function createConditions(filter: KeyFilter): Expression<SqlBool>[] {
  const conditions = createTimedConditions(filter);
  if (conditions.length > 0 && filter.status === undefined) conditions.push(sql`status <> 'revoked'`);
  if (filter.tokenName !== undefined) conditions.push(sql`token_name = ${filter.tokenName}`);
  return conditions;
}

/** The conditions of a `TimedFilter`. */
export function createTimedConditions(filter: TimedFilter): Expression<SqlBool>[] {
  const { unusedSince, expiresAfter, expiresUntil, isReplaced, quotaIds } = filter;
  const conditions: Expression<SqlBool>[] = [];
  if (unusedSince !== undefined) conditions.push(sql`coalesce(last_used_at, created_at) <= ${unusedSince}`);
  if (expiresAfter !== undefined) conditions.push(sql`expires_at > ${expiresAfter}`);
  if (expiresUntil !== undefined) conditions.push(sql`expires_at <= ${expiresUntil}`);
  if (isReplaced !== undefined) conditions.push(isReplaced ? sql`rotated_to IS NOT NULL` : sql`rotated_to IS NULL`);
  if (quotaIds !== undefined) {
    conditions.push(quotaIds.length === 0 ? sql`1 = 0` : sql`quota_id IN (${sql.join(quotaIds)})`);
  }
  return conditions;
}

/** The conditions that each have an index. */
function createFilters({ owner, plan, status, quotaId, replacedBy, ...filter }: KeyFilter): Expression<SqlBool>[] {
  const filters: Expression<SqlBool>[] = [];
  if (owner !== undefined) filters.push(sql`owner = ${owner}`);
  if (plan !== undefined) filters.push(sql`plan = ${plan}`);
  if (status !== undefined) filters.push(sql`status = ${status}`);
  if (quotaId !== undefined) filters.push(sql`quota_id = ${quotaId}`);
  filters.push(...createKindFilters(filter));
  if (replacedBy !== undefined) {
    filters.push(sql`chain = (SELECT chain FROM keys WHERE id = ${replacedBy})
      AND sequence < (SELECT sequence FROM keys WHERE id = ${replacedBy})`);
  }
  return filters;
}

/** The conditions on the kind of a key and on the issuer of its tokens. */
export function createKindFilters({ kind, tokenIssuer }: Pick<KeyFilter, 'kind' | 'tokenIssuer'>) {
  const filters: Expression<SqlBool>[] = [];
  // These conditions have no parameters, so that SQLite can use the partial indexes of foreign keys and of callers.
  if (kind === 'token' && tokenIssuer === undefined) filters.push(sql`token_issuer IS NOT NULL`);
  if (kind === 'foreign') filters.push(sql`foreign_secret = 1`);
  if (kind === 'secret') filters.push(sql`foreign_secret = 0`, sql`token_issuer IS NULL`);
  if (tokenIssuer !== undefined) filters.push(sql`token_issuer = ${tokenIssuer}`);
  return filters;
}

/** @param filters null if the keys cannot be counted from an index */
async function countTotal(
  database: KeyDatabase,
  filters: readonly Expression<SqlBool>[] | null,
  page: Page<Key>,
  cursor: string | undefined,
): Promise<number | null> {
  if (cursor !== undefined) return null;
  if (page.nextCursor === null) return page.items.length;
  // Keys are counted only if a single index is enough. Counting for several conditions, or for a search, would read the
  // keys themselves.
  if (filters === null || filters.length > 1) return null;
  return database.read((queries) => countKeys(queries, filters));
}

/** Returns null if there are more than `MAX_COUNTED` keys. */
async function countKeys(queries: Queries, filters: readonly Expression<SqlBool>[]): Promise<number | null> {
  let matching = queries.selectFrom('keys').select(sql`1`.as('one'));
  for (const filter of filters) matching = matching.where(filter);
  const { count } = await queries
    .selectFrom(matching.limit(MAX_COUNTED + 1).as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count > MAX_COUNTED ? null : count;
}
