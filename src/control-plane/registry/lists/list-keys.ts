import { type Expression, sql, type SqlBool } from 'kysely';
import type { Dialect } from '../../../storage/dialect.ts';
import type { Queries } from '../../../storage/tables.ts';
import { decodeSequence, pageOf, type PageRequest } from '../../../base/paging.ts';
import { keyOf } from '../keys/key-rows.ts';
import type { KeyFilter, KeyPage } from '../keys/key.ts';

/** More keys than this are not counted: a few milliseconds, in which SQLite serves nobody else. */
const MAX_COUNTED = 200_000;
/** Matches of a search that are looked through for those that other filters let through, before it looks at all. */
const NEWEST_MATCHES = 1000;

/** Newest first. */
export async function listKeys(
  queries: Queries,
  dialect: Dialect,
  { search, ...exact }: KeyFilter,
  { limit, cursor }: PageRequest,
): Promise<KeyPage> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeSequence('keys', cursor);
  const filters = filtersOf(exact);
  const find = (matching?: Expression<SqlBool>) => {
    let query = queries.selectFrom('keys').selectAll().where('sequence', '<', before);
    for (const [field, value] of filters) query = query.where(field, '=', value);
    if (matching !== undefined) query = query.where(matching);
    return query
      .orderBy('sequence', 'desc')
      .limit(limit + 1)
      .execute();
  };
  const newest = { before, matches: filters.length > 0 ? NEWEST_MATCHES : limit + 1 };
  let rows = await find(search === undefined ? undefined : dialect.matches(search, newest));
  if (search !== undefined && rows.length <= limit) rows = await find(dialect.matches(search));
  const page = pageOf('keys', rows, limit, (row) => row.sequence, keyOf);
  if (cursor !== undefined) return { ...page, total: null };
  if (page.nextCursor === null) return { ...page, total: page.items.length };
  // One index answers that; several conditions, or a search, would read the keys themselves.
  return { ...page, total: search === undefined && filters.length < 2 ? await countKeys(queries, filters) : null };
}

type Filter = readonly [field: 'owner' | 'plan' | 'status', value: string];

function filtersOf(exact: Omit<KeyFilter, 'search'>): Filter[] {
  return (['owner', 'plan', 'status'] as const).flatMap((field): Filter[] => {
    const value = exact[field];
    return value === undefined ? [] : [[field, value]];
  });
}

/** Null: more than `MAX_COUNTED`. */
async function countKeys(queries: Queries, filters: readonly Filter[]): Promise<number | null> {
  let matching = queries.selectFrom('keys').select(sql`1`.as('one'));
  for (const [field, value] of filters) matching = matching.where(field, '=', value);
  const { count } = await queries
    .selectFrom(matching.limit(MAX_COUNTED + 1).as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count > MAX_COUNTED ? null : count;
}
