import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { EXPIRING_DAYS } from '../../shared/format/durations.ts';
import { nestKeys } from '../../shared/format/nested-keys.ts';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { LIST_REFRESH_MS, LIVE_REFRESH_MS, refreshWhileOnePage } from '../../shared/transport/refresh.ts';
import type { paths } from './transport/schema.ts';
import { api, type Schemas } from './transport/client.ts';

export type Key = Schemas['Key'];
/** A key with its version. A change sends the version, so that it applies only to the state that was shown. */
export type VersionedKey = Key & { readonly etag?: string | undefined };

/** Prefix of account ids. The quota id of a key that was created in the portal is the id of its account. */
export const ACCOUNT_PREFIX = 'acc_';
/** A row of a list of keys, with the usage of the key at the time when the list was read. */
export type ListedKey = Schemas['ListedKey'];
export type KeyStatus = Schemas['KeyStatus'];
export type KeyKind = Schemas['KeyKind'];
export type Usage = Schemas['Usage'];

/** Filters in the URL. Empty filters are left out of the request. */
export interface KeyFilters {
  readonly q?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: KeyStatus;
  readonly unusedFor?: string;
  readonly state?: 'expired' | 'rotating' | 'banned';
  readonly expiresWithin?: string;
  readonly kind?: KeyKind;
  /** The name of an issuer of access tokens. */
  readonly token?: string;
}

type KeysQuery = NonNullable<paths['/keys']['get']['parameters']['query']>;

/** The expiry filter for keys that will expire soon. */
export const EXPIRING_WITHIN = `${EXPIRING_DAYS}d`;

/** The minimum length of a search text that the API accepts. */
export const MIN_SEARCH_LENGTH = 3;
export const PAGE_SIZE = 100;

export const keysQuery = (filters: KeyFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', 'list', filters, sort],
    queryFn: ({ pageParam, signal }) => readKeysWithUsage(filters, sort, pageParam, signal),
    ...cursorPaging,
    refetchInterval: refreshWhileOnePage(LIST_REFRESH_MS),
  });

/**
 * Lists the keys of all pages, each followed by the keys that it replaced. Rows do not move when more pages are read.
 */
export function listKeys(list: { readonly pages: readonly { readonly items: readonly ListedKey[] }[] } | undefined) {
  return list?.pages.flatMap(({ items }) => nestKeys(items)) ?? [];
}

export function readKeys(filters: KeyFilters, cursor?: string, signal?: AbortSignal, sort?: string) {
  return readResponse(api.GET('/keys', { params: { query: createPageQuery(filters, sort, cursor) }, signal }));
}

/** Reads keys with their usage, which saves a request for each row. */
function readKeysWithUsage(filters: KeyFilters, sort?: string, cursor?: string, signal?: AbortSignal) {
  const query = { ...createPageQuery(filters, sort, cursor), include: 'usage' as const };
  return readResponse(api.GET('/keys', { params: { query }, signal }));
}

function createPageQuery(filters: KeyFilters, sort?: string, cursor?: string) {
  // The URL may contain any text as the order. The API refuses an unknown one.
  return { ...asked(filters), sort: sort as KeysQuery['sort'], limit: PAGE_SIZE, cursor };
}

/** Selects the other keys that a change of a key affects: those that it replaced, or those that share its quota. */
export type AffectedKeys = Pick<KeysQuery, 'replacedBy' | 'quotaId'>;

/** Reads the affected keys that still work, up to one page. */
export const affectedKeysQuery = (affected: AffectedKeys) =>
  queryOptions({
    queryKey: ['keys', 'affected', affected],
    queryFn: ({ signal }) =>
      readResponse(api.GET('/keys', { params: { query: { ...affected, limit: PAGE_SIZE } }, signal })),
    select: ({ items }) => items.filter(isWorking),
  });

/** True if the gateway serves calls with the key, or will once the key is enabled. */
export function isWorking({ status, expiresAt }: Key): boolean {
  return status !== 'revoked' && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

/** True if the filters leave anything out. A search text that is too short leaves out nothing. */
export function isFiltered(filters: KeyFilters): boolean {
  return Object.values(asked(filters)).some((value) => value !== undefined);
}

/**
 * Creates the filter of a bulk change for the keys that match. Null without filters, because a bulk change must not
 * select all keys.
 */
export function createBulkFilter(filters: KeyFilters): Schemas['BulkFilter'] | null {
  return isFiltered(filters) ? asked(filters) : null;
}

function asked({ q, ...filters }: KeyFilters): KeyFilters {
  return q !== undefined && q.length >= MIN_SEARCH_LENGTH ? { ...filters, q } : filters;
}

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: async ({ signal }): Promise<VersionedKey> => {
      const pending = api.GET('/keys/{id}', { params: { path: { id } }, signal });
      const key = await readResponse(pending);
      return { ...key, etag: (await pending).response.headers.get('ETag') ?? undefined };
    },
  });

/** Reads the current usage of a key, including its active ban. */
export const usageQuery = (id: string, live = false) =>
  queryOptions({
    queryKey: ['keys', 'usage', id],
    queryFn: ({ signal }) => readResponse(api.GET('/keys/{id}/usage', { params: { path: { id } }, signal })),
    staleTime: LIVE_REFRESH_MS,
    refetchInterval: live ? LIVE_REFRESH_MS : false,
  });
