import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { decodeCursor, createInvalidCursorError, type Page, toPage, type PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import type { Owner, OwnerOrder } from './key.ts';

/** Lists the owners of keys, with figures about their keys. */

type OwnerDatabase = Pick<Database, 'read' | 'dialect'>;
type OwnerCounts = Pick<Owner, 'owner' | 'keys' | 'activeKeys'>;
type RankedOwner = OwnerCounts & { readonly lastUsedAt: number | null };

/**
 * Maximum number of keys whose plans are read at once. This takes a few milliseconds, during which SQLite serves
 * nothing else.
 */
const MAX_KEYS_AT_ONCE = 20_000;

const SORTED_AT_ONCE = 5000;

const keyCount = sql<number>`count(*)`.as('keys');
const activeKeys = sql<number>`sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END)`.as('activeKeys');

export async function listOwners(
  database: OwnerDatabase,
  search: string | undefined,
  page: PageRequest,
  order: OwnerOrder = { by: 'owner', descending: false },
  requests: ReadonlyMap<string, number> = new Map(),
): Promise<Page<Owner>> {
  const listPage = order.by === 'owner' ? listOwnersByName : listRankedOwners;
  const { items, nextCursor } = await listPage(database, search, page, order, requests);
  const detailsByOwner = await loadDetails(database, items);
  return {
    items: items.map(({ owner, keys, activeKeys: active }) => ({
      owner,
      keys,
      activeKeys: active,
      ...(detailsByOwner.get(owner) ?? { plans: [], lastUsedAt: null }),
    })),
    nextCursor,
  };
}

/** Reads only the index of owners, and only as far as the page needs. */
async function listOwnersByName(
  database: OwnerDatabase,
  search: string | undefined,
  { limit, cursor }: PageRequest,
  { descending }: OwnerOrder,
): Promise<Page<OwnerCounts>> {
  const list = descending ? 'owners -owner' : 'owners';
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const rows = await database.read((queries) => {
    let query = queries
      .selectFrom('keys')
      .select(['owner', keyCount, activeKeys])
      .groupBy('owner')
      .orderBy('owner', descending ? 'desc' : 'asc')
      .limit(limit + 1);
    if (after !== undefined) query = query.where('owner', descending ? '<' : '>', after);
    if (search !== undefined) query = query.where(database.dialect.ownerMatches(search));
    return query.execute();
  });
  return toPage(list, rows, limit, ({ owner }) => owner, identity);
}

/** Reads all keys in slices, so that other queries are served between two slices. */
async function listRankedOwners(
  database: OwnerDatabase,
  search: string | undefined,
  { limit, cursor }: PageRequest,
  { by, descending }: OwnerOrder,
  requests: ReadonlyMap<string, number>,
): Promise<Page<OwnerCounts>> {
  const list = `owners ${descending ? '-' : ''}${by}`;
  const after = cursor === undefined ? undefined : parsePlace(decodeCursor(list, cursor));
  const readValue = (ranked: RankedOwner) => {
    if (by === 'requests') return requests.get(ranked.owner) ?? 0;
    return by === 'owner' ? 0 : (ranked[by] ?? 0);
  };
  const compare = (a: RankedPlace, b: RankedPlace) =>
    (descending ? b.value - a.value : a.value - b.value) || (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0);
  // Only the first owners are kept, because sorting all owners would take several times as long.
  let firstPlaces: (RankedPlace & { readonly one: RankedOwner })[] = [];
  for (const ranked of (await countOwners(database, search)).values()) {
    const place = { one: ranked, value: readValue(ranked), owner: ranked.owner };
    if (after === undefined || compare(place, after) > 0) firstPlaces.push(place);
    if (firstPlaces.length > SORTED_AT_ONCE) firstPlaces = firstPlaces.toSorted(compare).slice(0, limit + 1);
  }
  const rows = firstPlaces.toSorted(compare).slice(0, limit + 1);
  return toPage(
    list,
    rows,
    limit,
    ({ value, owner }) => `${value}:${owner}`,
    ({ one }) => one,
  );
}

interface RankedPlace {
  readonly value: number;
  readonly owner: string;
}

/** @throws RegistryError `invalid_cursor` */
function parsePlace(position: string): RankedPlace {
  const end = position.indexOf(':');
  const value = Number(position.slice(0, end));
  if (!Number.isSafeInteger(value) || position.slice(0, end) !== String(value)) {
    throw createInvalidCursorError();
  }
  return { value, owner: position.slice(end + 1) };
}

async function countOwners(database: OwnerDatabase, search: string | undefined): Promise<Map<string, RankedOwner>> {
  const { dialect } = database;
  const owners = new Map<string, RankedOwner>();
  const newest = await database.read((queries) =>
    queries.selectFrom('keys').select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst(),
  );
  let before = (newest?.sequence ?? 0) + 1;
  const sliceSize = dialect.maxScannedRows ?? before;
  for (; before > 1; before -= sliceSize) {
    const [from, end] = [before - sliceSize, before];
    const rows = await database.read((queries) => {
      let query = queries
        .selectFrom('keys')
        .select(['owner', keyCount, activeKeys, sql<number | null>`max(last_used_at)`.as('lastUsedAt')])
        .where('sequence', '>=', from)
        .where('sequence', '<', end)
        .groupBy('owner');
      if (search !== undefined) query = query.where(dialect.ownerMatches(search));
      return query.execute();
    });
    for (const row of rows) owners.set(row.owner, addCounts(owners.get(row.owner), row));
    await setImmediate();
  }
  return owners;
}

function addCounts(sum: RankedOwner | undefined, counts: RankedOwner): RankedOwner {
  if (sum === undefined) return counts;
  const { owner, keys, activeKeys: active, lastUsedAt } = counts;
  return {
    owner,
    keys: sum.keys + keys,
    activeKeys: sum.activeKeys + active,
    lastUsedAt: lastUsedAt === null ? sum.lastUsedAt : Math.max(lastUsedAt, sum.lastUsedAt ?? 0),
  };
}

type Details = Pick<Owner, 'plans' | 'lastUsedAt'>;

async function loadDetails(database: OwnerDatabase, owners: readonly OwnerCounts[]): Promise<Map<string, Details>> {
  const detailsByOwner = new Map<string, Details>();
  for (const batch of splitIntoBatches(owners)) {
    const rows = await database.read((queries) =>
      queries
        .selectFrom('keys')
        .select([
          'owner',
          'plan',
          sql<number | null>`max(last_used_at)`.as('lastUsedAt'),
          sql<number>`sum(CASE WHEN status <> 'revoked' THEN 1 ELSE 0 END)`.as('live'),
        ])
        .where('owner', 'in', batch)
        .groupBy(['owner', 'plan'])
        .execute(),
    );
    for (const [owner, plans] of Map.groupBy(rows, (row) => row.owner)) {
      const uses = plans.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
      detailsByOwner.set(owner, {
        plans: plans
          .filter(({ live }) => live > 0)
          .map(({ plan }) => plan)
          .toSorted(),
        lastUsedAt: uses.length === 0 ? null : Math.max(...uses),
      });
    }
    await setImmediate();
  }
  return detailsByOwner;
}

/** Splits owners into batches whose keys can be read at once. Each batch has at least one owner. */
function splitIntoBatches(owners: readonly OwnerCounts[]): string[][] {
  const batches: string[][] = [];
  let keys = Infinity;
  for (const counts of owners) {
    if (keys + counts.keys > MAX_KEYS_AT_ONCE) {
      batches.push([]);
      keys = 0;
    }
    keys += counts.keys;
    batches.at(-1)?.push(counts.owner);
  }
  return batches;
}

function identity<T>(value: T): T {
  return value;
}
