import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { LIST_MS } from '../../shared/transport/refresh.ts';
import type { Page } from './all-pages.ts';
import { PAGE_SIZE, readKeys } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';

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

export const bansQuery = (filters: BanFilters, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['bans', filters, limit],
    queryFn: ({ pageParam: cursor, signal }) => {
      const { q, ...asked } = filters;
      if (q !== undefined) return bansOfMatchingKeys(q, asked, signal);
      return answerOf(api.GET('/bans', { params: { query: { ...asked, limit, cursor } }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: LIST_MS,
  });

/** Enough for the keys of one owner; shorter searches get the bans of the newest keys. */
const MAX_SEARCHED_QUOTAS = 20;

/** The API finds bans by key, and keys by text. */
async function bansOfMatchingKeys(q: string, asked: BanFilters, signal: AbortSignal): Promise<Page<Ban>> {
  const keys = await readKeys({ q }, undefined, signal);
  const quotaIds = [...new Set(keys.items.map(({ quotaId }) => quotaId))].slice(0, MAX_SEARCHED_QUOTAS);
  const pages = await Promise.all(
    quotaIds.map((key) =>
      answerOf(api.GET('/bans', { params: { query: { ...asked, key, limit: PAGE_SIZE } }, signal })),
    ),
  );
  const items = pages.flatMap((page) => page.items);
  return { items: items.toSorted((one, other) => Date.parse(other.from) - Date.parse(one.from)), nextCursor: null };
}

/**
 * How many bans are active, up to one page: the first one that has any, since the gateway looks through a few at a
 * time.
 */
export const activeBansQuery = queryOptions({
  queryKey: ['bans', 'active-count'],
  refetchInterval: LIST_MS,
  queryFn: async ({ signal }) => {
    let cursor: string | undefined;
    do {
      const query = { status: 'active' as const, limit: PAGE_SIZE, cursor };
      // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
      const { items, nextCursor } = await answerOf(api.GET('/bans', { params: { query }, signal }));
      if (items.length > 0) return { count: items.length, more: nextCursor !== null };
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return { count: 0, more: false };
  },
});
