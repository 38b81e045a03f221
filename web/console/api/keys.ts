import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api, type Schemas } from './transport/client.ts';

export type Key = Schemas['Key'];
export type KeyStatus = Schemas['KeyStatus'];
export type Usage = Schemas['Usage'];

/** As they stand in the address; empty ones are left out. */
export interface KeyFilters {
  readonly q?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: KeyStatus;
}

/** The shortest text that the API searches for. */
export const MIN_SEARCH_LENGTH = 3;
export const PAGE_SIZE = 100;
const LIVE_MS = 5000;

export const keysQuery = (filters: KeyFilters) =>
  infiniteQueryOptions({
    queryKey: ['keys', 'list', filters],
    queryFn: ({ pageParam, signal }) => readKeys(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export function readKeys({ q, ...filters }: KeyFilters, cursor?: string, signal?: AbortSignal) {
  const search = q !== undefined && q.length >= MIN_SEARCH_LENGTH ? { q } : {};
  return answerOf(api.GET('/keys', { params: { query: { ...filters, ...search, limit: PAGE_SIZE, cursor } }, signal }));
}

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => answerOf(api.GET('/keys/{id}', { params: { path: { id } }, signal })),
  });

/** What a key has used now, and whether it is banned. */
export const usageQuery = (id: string, live = false) =>
  queryOptions({
    queryKey: ['keys', 'usage', id],
    queryFn: ({ signal }) => answerOf(api.GET('/keys/{id}/usage', { params: { path: { id } }, signal })),
    staleTime: LIVE_MS,
    refetchInterval: live ? LIVE_MS : false,
  });
