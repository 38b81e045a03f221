import { sql } from 'kysely';
import type { Dialect } from '../../../storage/dialect.ts';
import type { Queries } from '../../../storage/tables.ts';
import { decodeCursor, pageOf, type Page, type PageRequest } from '../../../base/paging.ts';
import type { Owner } from '../keys/key.ts';

/** By name. Reads the index of owners alone, and no further than the page. */
export async function listOwners(
  queries: Queries,
  dialect: Dialect,
  search: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<Owner>> {
  let query = queries
    .selectFrom('keys')
    .select(['owner', sql<number>`count(*)`.as('keys'), activeKeys.as('active_keys')])
    .groupBy('owner')
    .orderBy('owner')
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where('owner', '>', decodeCursor('owners', cursor));
  if (search !== undefined) {
    query = query.where(dialect.ownerMatches(search));
  }
  return pageOf('owners', await query.execute(), limit, ({ owner }) => owner, ownerOf);
}

const activeKeys = sql<number>`sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END)`;

function ownerOf({ owner, keys, active_keys }: { owner: string; keys: number; active_keys: number }): Owner {
  return { owner, keys, activeKeys: active_keys };
}
