import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { LIST_MS, LIVE_MS, whileOnePage } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type Key = Schemas['Key'];

/** Prefix of the quota id of keys created in the portal: it is the account's id. */
export const ACCOUNT_PREFIX = 'acc_';
/** A row of a list, with what the key has used as the list was read. */
export type ListedKey = Schemas['ListedKey'];
export type KeyStatus = Schemas['KeyStatus'];
export type Usage = Schemas['Usage'];

/** As they stand in the address; empty ones are left out. */
export interface KeyFilters {
  readonly q?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: KeyStatus;
  readonly unusedFor?: string;
}

/** The shortest text that the API searches for. */
export const MIN_SEARCH_LENGTH = 3;
export const PAGE_SIZE = 100;

export const keysQuery = (filters: KeyFilters) =>
  infiniteQueryOptions({
    queryKey: ['keys', 'list', filters],
    queryFn: ({ pageParam, signal }) => readKeysWithUsage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: whileOnePage(LIST_MS),
  });

export function readKeys(filters: KeyFilters, cursor?: string, signal?: AbortSignal) {
  return answerOf(api.GET('/keys', { params: { query: pageOf(filters, cursor) }, signal }));
}

/** The list includes the usage of each key, which saves a request for each row. */
function readKeysWithUsage(filters: KeyFilters, cursor?: string, signal?: AbortSignal) {
  const query = { ...pageOf(filters, cursor), include: 'usage' as const };
  return answerOf(api.GET('/keys', { params: { query }, signal }));
}

function pageOf(filters: KeyFilters, cursor?: string) {
  return { ...asked(filters), limit: PAGE_SIZE, cursor };
}

/** Whether they leave anything out: a text that is too short to be searched for does not. */
export function isFiltered(filters: KeyFilters): boolean {
  return Object.values(asked(filters)).some((value) => value !== undefined);
}

/** The filter of a bulk change of the keys that match; null if it cannot express these filters, or there are none. */
export function bulkFilterOf(filters: KeyFilters): Schemas['BulkFilter'] | null {
  const { status, unusedFor, ...conditions } = asked(filters);
  return status === undefined && unusedFor === undefined && isFiltered(filters) ? conditions : null;
}

function asked({ q, ...filters }: KeyFilters): KeyFilters {
  return q !== undefined && q.length >= MIN_SEARCH_LENGTH ? { ...filters, q } : filters;
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
