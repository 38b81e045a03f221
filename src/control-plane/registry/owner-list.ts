import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { decodeCursor, invalidCursor, type Page, toPage, type PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import type { Owner, OwnerOrder } from './key.ts';

/** Lists the owners of keys, with figures about their keys. */

type Records = Pick<Database, 'read' | 'dialect'>;
type Counts = Pick<Owner, 'owner' | 'keys' | 'activeKeys'>;
type Ranked = Counts & { readonly lastUsedAt: number | null };

/**
 * Maximum number of keys whose plans are read at once. This takes a few milliseconds, during which SQLite serves
 * nothing else.
 */
const MAX_KEYS_AT_ONCE = 20_000;

const SORTED_AT_ONCE = 5000;

const keyCount = sql<number>`count(*)`.as('keys');
const activeKeys = sql<number>`sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END)`.as('activeKeys');

export async function listOwners(
  database: Records,
  search: string | undefined,
  page: PageRequest,
  order: OwnerOrder = { by: 'owner', descending: false },
  requests: ReadonlyMap<string, number> = new Map(),
): Promise<Page<Owner>> {
  const list = order.by === 'owner' ? ownersByName : rankedOwners;
  const { items, nextCursor } = await list(database, search, page, order, requests);
  const details = await loadDetails(database, items);
  return {
    items: items.map(({ owner, keys, activeKeys: active }) => ({
      owner,
      keys,
      activeKeys: active,
      ...(details.get(owner) ?? { plans: [], lastUsedAt: null }),
    })),
    nextCursor,
  };
}

/** Reads only the index of owners, and only as far as the page needs. */
async function ownersByName(
  database: Records,
  search: string | undefined,
  { limit, cursor }: PageRequest,
  { descending }: OwnerOrder,
): Promise<Page<Counts>> {
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
  return toPage(list, rows, limit, ({ owner }) => owner, itself);
}

/** Reads all keys in slices, so that other queries are served between two slices. */
async function rankedOwners(
  database: Records,
  search: string | undefined,
  { limit, cursor }: PageRequest,
  { by, descending }: OwnerOrder,
  requests: ReadonlyMap<string, number>,
): Promise<Page<Counts>> {
  const list = `owners ${descending ? '-' : ''}${by}`;
  const after = cursor === undefined ? undefined : parsePlace(decodeCursor(list, cursor));
  const readValue = (one: Ranked) => {
    if (by === 'requests') return requests.get(one.owner) ?? 0;
    return by === 'owner' ? 0 : (one[by] ?? 0);
  };
  const compare = (a: Place, b: Place) =>
    (descending ? b.value - a.value : a.value - b.value) || (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0);
  // Only the first owners are kept, because sorting all owners would take several times as long.
  let first: (Place & { readonly one: Ranked })[] = [];
  for (const one of (await countedOwners(database, search)).values()) {
    const place = { one, value: readValue(one), owner: one.owner };
    if (after === undefined || compare(place, after) > 0) first.push(place);
    if (first.length > SORTED_AT_ONCE) first = first.toSorted(compare).slice(0, limit + 1);
  }
  const rows = first.toSorted(compare).slice(0, limit + 1);
  return toPage(
    list,
    rows,
    limit,
    ({ value, owner }) => `${value}:${owner}`,
    ({ one }) => one,
  );
}

interface Place {
  readonly value: number;
  readonly owner: string;
}

/** @throws RegistryError `invalid_cursor` */
function parsePlace(position: string): Place {
  const end = position.indexOf(':');
  const value = Number(position.slice(0, end));
  if (!Number.isSafeInteger(value) || position.slice(0, end) !== String(value)) {
    throw invalidCursor();
  }
  return { value, owner: position.slice(end + 1) };
}

async function countedOwners(database: Records, search: string | undefined): Promise<Map<string, Ranked>> {
  const { dialect } = database;
  const owners = new Map<string, Ranked>();
  const newest = await database.read((queries) =>
    queries.selectFrom('keys').select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst(),
  );
  let before = (newest?.sequence ?? 0) + 1;
  const slice = dialect.scannedRows ?? before;
  for (; before > 1; before -= slice) {
    const [from, end] = [before - slice, before];
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
    for (const row of rows) owners.set(row.owner, added(owners.get(row.owner), row));
    await setImmediate();
  }
  return owners;
}

function added(one: Ranked | undefined, other: Ranked): Ranked {
  if (one === undefined) return other;
  const { owner, keys, activeKeys: active, lastUsedAt } = other;
  return {
    owner,
    keys: one.keys + keys,
    activeKeys: one.activeKeys + active,
    lastUsedAt: lastUsedAt === null ? one.lastUsedAt : Math.max(lastUsedAt, one.lastUsedAt ?? 0),
  };
}

type Details = Pick<Owner, 'plans' | 'lastUsedAt'>;

async function loadDetails(database: Records, owners: readonly Counts[]): Promise<Map<string, Details>> {
  const details = new Map<string, Details>();
  for (const batch of splitBatches(owners)) {
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
      details.set(owner, {
        plans: plans
          .filter(({ live }) => live > 0)
          .map(({ plan }) => plan)
          .toSorted(),
        lastUsedAt: uses.length === 0 ? null : Math.max(...uses),
      });
    }
    await setImmediate();
  }
  return details;
}

/** Splits owners into batches whose keys can be read at once. Each batch has at least one owner. */
function splitBatches(owners: readonly Counts[]): string[][] {
  const batches: string[][] = [];
  let keys = Infinity;
  for (const one of owners) {
    if (keys + one.keys > MAX_KEYS_AT_ONCE) {
      batches.push([]);
      keys = 0;
    }
    keys += one.keys;
    batches.at(-1)?.push(one.owner);
  }
  return batches;
}

function itself<T>(value: T): T {
  return value;
}
