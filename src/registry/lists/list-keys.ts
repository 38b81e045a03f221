import { sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { Queries } from '../../database/queries.ts';
import { decodeSequence, pageOf } from '../cursor.ts';
import { keyOf } from '../key-rows.ts';
import type { KeyFilter, KeyPage, PageRequest } from '../registry.ts';

/** More keys than this are not counted: a few milliseconds, in which SQLite serves nobody else. */
const MAX_COUNTED = 200_000;

/** Newest first. */
export async function listKeys(
  queries: Queries,
  dialect: Dialect,
  { search, ...exact }: KeyFilter,
  { limit, cursor }: PageRequest,
): Promise<KeyPage> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeSequence('keys', cursor);
  let query = queries.selectFrom('keys').selectAll().where('sequence', '<', before);
  const fields = (['owner', 'plan', 'status'] as const).filter((field) => exact[field] !== undefined);
  for (const field of fields) query = query.where(field, '=', exact[field]!);
  if (search !== undefined)
    query = query.where(dialect.matches(search, fields.length > 0 ? undefined : { limit: limit + 1, before }));
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageOf('keys', rows, limit, (row) => row.sequence, keyOf);
  if (cursor !== undefined) return { ...page, total: null };
  if (page.nextCursor === null) return { ...page, total: page.items.length };
  // One index answers that; several conditions, or a search, would read the keys themselves.
  return { ...page, total: search === undefined && fields.length < 2 ? await countKeys(queries, exact) : null };
}

/** Null: more than `MAX_COUNTED`. */
async function countKeys(queries: Queries, filter: Omit<KeyFilter, 'search'>): Promise<number | null> {
  let matching = queries.selectFrom('keys').select(sql`1`.as('one'));
  for (const field of ['owner', 'plan', 'status'] as const) {
    if (filter[field] !== undefined) matching = matching.where(field, '=', filter[field]);
  }
  const { count } = await queries
    .selectFrom(matching.limit(MAX_COUNTED + 1).as('matching'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count > MAX_COUNTED ? null : count;
}
