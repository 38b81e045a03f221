import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { sortRows } from '../../shared/ui/data/sorting.ts';
import { LIST_REFRESH_MS } from '../../shared/transport/refresh.ts';
import type { Page } from './all-pages.ts';
import { PAGE_SIZE, readKeys } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';

export type Ban = Schemas['Ban'];
export type BanStatus = Schemas['BanStatus'];

export interface BanFilters {
  /** The id of a key or of a quota. */
  readonly key?: string;
  readonly owner?: string;
  /** Part of the name, owner or id of a key. */
  readonly q?: string;
  readonly status?: BanStatus;
}

type BansQuery = NonNullable<paths['/bans']['get']['parameters']['query']>;

interface BansPage extends Page<Ban> {
  /** True if some bans that match a search are missing, because the API searches only a few keys. */
  readonly isPartial?: boolean;
}

/**
 * True if the API sorts only active bans in this order: for other bans, it determines the end only when it lists them.
 */
export function isForActiveBans(sort: string): boolean {
  return !/^-?from$/.test(sort);
}

export const bansQuery = (filters: BanFilters, limit = PAGE_SIZE, sort = '-from') =>
  infiniteQueryOptions({
    queryKey: ['bans', filters, limit, sort],
    queryFn: ({ pageParam: cursor, signal }): Promise<BansPage> => {
      const { q, ...asked } = filters;
      const query = { ...asked, sort: sort as BansQuery['sort'], limit, cursor };
      if (q !== undefined) return bansOfMatchingKeys(q, query, signal);
      return readResponse(api.GET('/bans', { params: { query }, signal }));
    },
    ...cursorPaging,
    refetchInterval: LIST_REFRESH_MS,
  });

/** Enough for the keys of one owner. For short search texts, only the bans of the newest keys are found. */
export const MAX_SEARCHED_QUOTAS = 20;

const SORTED = {
  from: ({ from }: Ban) => Date.parse(from),
  until: ({ until }: Ban) => Date.parse(until),
  length: ({ from, until }: Ban) => Date.parse(until) - Date.parse(from),
  actor: ({ actor }: Ban) => actor,
};

/** Finds keys by the text first, because the API finds bans only by key. */
async function bansOfMatchingKeys(q: string, asked: BansQuery, signal: AbortSignal): Promise<BansPage> {
  const keys = await readKeys({ q }, undefined, signal);
  const quotaIds = [...new Set(keys.items.map(({ quotaId }) => quotaId))];
  const searched = quotaIds.slice(0, MAX_SEARCHED_QUOTAS);
  const pages = await Promise.all(
    searched.map((key) => readResponse(api.GET('/bans', { params: { query: { ...asked, key } }, signal }))),
  );
  const items = sortRows(
    pages.flatMap((page) => page.items),
    SORTED,
    asked.sort ?? '-from',
  );
  const isPartial =
    keys.nextCursor !== null ||
    searched.length < quotaIds.length ||
    pages.some(({ nextCursor }) => nextCursor !== null);
  return { items: [...items], nextCursor: null, isPartial };
}

/**
 * Counts the active bans, up to one page. Reads on until a page has any, because the gateway looks through only a few
 * at a time.
 */
export const activeBansQuery = queryOptions({
  queryKey: ['bans', 'active-count'],
  refetchInterval: LIST_REFRESH_MS,
  queryFn: async ({ signal }) => {
    let cursor: string | undefined;
    do {
      const query = { status: 'active' as const, limit: PAGE_SIZE, cursor };
      // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
      const { items, nextCursor } = await readResponse(api.GET('/bans', { params: { query }, signal }));
      if (items.length > 0) return { count: items.length, more: nextCursor !== null };
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return { count: 0, more: false };
  },
});
