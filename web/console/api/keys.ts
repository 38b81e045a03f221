import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { EXPIRING_DAYS } from '../../shared/format/durations.ts';
import { nestedKeys } from '../../shared/format/nested-keys.ts';
import { readResponse, byCursor } from '../../shared/transport/fetch.ts';
import { LIST_MS, LIVE_MS, whileOnePage } from '../../shared/transport/refresh.ts';
import type { paths } from './transport/schema.ts';
import { api, type Schemas } from './transport/client.ts';

export type Key = Schemas['Key'];
/** A key with its version, so that a change applies only to the state that was shown. */
export type VersionedKey = Key & { readonly etag?: string | undefined };

/** Prefix of the quota id of keys created in the portal: it is the account's id. */
export const ACCOUNT_PREFIX = 'acc_';
/** A row of a list, with the usage of the key at the time the list was read. */
export type ListedKey = Schemas['ListedKey'];
export type KeyStatus = Schemas['KeyStatus'];
export type KeyKind = Schemas['KeyKind'];
export type Usage = Schemas['Usage'];

/** As in the URL; empty ones are left out. */
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

/** Filter for keys that will expire soon. */
export const EXPIRING_WITHIN = `${EXPIRING_DAYS}d`;

/** The minimum length of a search text, as in the API. */
export const MIN_SEARCH_LENGTH = 3;
export const PAGE_SIZE = 100;

export const keysQuery = (filters: KeyFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', 'list', filters, sort],
    queryFn: ({ pageParam, signal }) => readKeysWithUsage(filters, sort, pageParam, signal),
    ...byCursor,
    refetchInterval: whileOnePage(LIST_MS),
  });

/** The keys of a list, each followed by the ones that it replaced. Rows do not move when more pages are read. */
export function keysIn(list: { readonly pages: readonly { readonly items: readonly ListedKey[] }[] } | undefined) {
  return list?.pages.flatMap(({ items }) => nestedKeys(items)) ?? [];
}

export function readKeys(filters: KeyFilters, cursor?: string, signal?: AbortSignal, sort?: string) {
  return readResponse(api.GET('/keys', { params: { query: createPageQuery(filters, sort, cursor) }, signal }));
}

/** The list includes the usage of each key, which saves a request for each row. */
function readKeysWithUsage(filters: KeyFilters, sort?: string, cursor?: string, signal?: AbortSignal) {
  const query = { ...createPageQuery(filters, sort, cursor), include: 'usage' as const };
  return readResponse(api.GET('/keys', { params: { query }, signal }));
}

function createPageQuery(filters: KeyFilters, sort?: string, cursor?: string) {
  // The URL may contain any text. The API refuses an unknown order.
  return { ...asked(filters), sort: sort as KeysQuery['sort'], limit: PAGE_SIZE, cursor };
}

/** Other keys that a change of a key affects: keys that it replaced, or that share its quota. */
export type AffectedKeys = Pick<KeysQuery, 'replacedBy' | 'quotaId'>;

/** The affected keys that still work, up to one page. */
export const affectedKeysQuery = (affected: AffectedKeys) =>
  queryOptions({
    queryKey: ['keys', 'affected', affected],
    queryFn: ({ signal }) =>
      readResponse(api.GET('/keys', { params: { query: { ...affected, limit: PAGE_SIZE } }, signal })),
    select: ({ items }) => items.filter(isWorking),
  });

/** Whether calls with it are served, or will be once it is enabled. */
export function isWorking({ status, expiresAt }: Key): boolean {
  return status !== 'revoked' && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

/** Whether the filters leave anything out. A search text that is too short does not. */
export function isFiltered(filters: KeyFilters): boolean {
  return Object.values(asked(filters)).some((value) => value !== undefined);
}

/** The filter of a bulk change for the keys that match; null without filters. */
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

/** The current usage of a key, and whether it is banned. */
export const usageQuery = (id: string, live = false) =>
  queryOptions({
    queryKey: ['keys', 'usage', id],
    queryFn: ({ signal }) => readResponse(api.GET('/keys/{id}/usage', { params: { path: { id } }, signal })),
    staleTime: LIVE_MS,
    refetchInterval: live ? LIVE_MS : false,
  });
