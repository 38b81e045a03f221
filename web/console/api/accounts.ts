import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Change } from '../../shared/transport/change.ts';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { CALM_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { isWorking, MIN_SEARCH_LENGTH, PAGE_SIZE, readKeys } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';

export type Account = Schemas['Account'];
export type AccountStatus = Schemas['AccountStatus'];
export type NewAccount = Schemas['NewAccount'];
export type AccountPatch = Schemas['AccountPatch'];
export type PlanRequest = Schemas['PlanRequest'];
export type AccountRequest = Schemas['AccountRequest'];

export interface SignInLink {
  readonly url: string;
  readonly expiresAt: string;
}

export interface AccountFilters {
  readonly q?: string;
  readonly status?: AccountStatus;
}

type AccountsQuery = NonNullable<paths['/accounts']['get']['parameters']['query']>;

export const accountsQuery = ({ q, ...filters }: AccountFilters, sort?: string) =>
  infiniteQueryOptions({
    queryKey: ['accounts', q, filters, sort],
    queryFn: ({ pageParam: cursor, signal }) => {
      const search = q !== undefined && q.length >= MIN_SEARCH_LENGTH ? { q } : {};
      const query = { ...filters, ...search, sort: sort as AccountsQuery['sort'], limit: PAGE_SIZE, cursor };
      return readResponse(api.GET('/accounts', { params: { query }, signal }));
    },
    ...cursorPaging,
  });

/**
 * Counts the active keys of an account: those that it created (`made`), how many of these are on another plan
 * (`elsewhere`), and those that operators created for its owner (`given`).
 */
export const accountKeysQuery = ({ id, owner, plan }: Account) =>
  queryOptions({
    queryKey: ['keys', 'of-account', id],
    queryFn: ({ signal }) => readKeys({ owner }, undefined, signal),
    select: ({ items, nextCursor }) => {
      const working = items.filter(isWorking);
      const made = working.filter(({ quotaId }) => quotaId === id);
      const elsewhere = made.filter((key) => key.plan !== plan).length;
      return { made: made.length, elsewhere, given: working.length - made.length, more: nextCursor !== null };
    },
  });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => readResponse(api.GET('/accounts/{id}', { params: { path: { id } }, signal })),
  });

/** Finds the account of an owner. Null if it has none. */
export const accountOfOwnerQuery = (owner: string) =>
  queryOptions({
    queryKey: ['accounts', 'of', owner],
    queryFn: ({ signal }) => readResponse(api.GET('/accounts', { params: { query: { owner, limit: 1 } }, signal })),
    select: ({ items }) => items[0] ?? null,
  });

/** Open requests, up to one page. */
export const openPlanRequestsQuery = queryOptions({
  queryKey: ['plan-requests', 'open'],
  queryFn: ({ signal }) =>
    readResponse(api.GET('/plan-requests', { params: { query: { status: 'open', limit: PAGE_SIZE } }, signal })),
  refetchInterval: CALM_REFRESH_MS,
});

/** Open requests of people without an account, up to one page. */
export const openAccountRequestsQuery = queryOptions({
  queryKey: ['account-requests', 'open'],
  queryFn: ({ signal }) =>
    readResponse(api.GET('/account-requests', { params: { query: { status: 'open', limit: PAGE_SIZE } }, signal })),
  refetchInterval: CALM_REFRESH_MS,
});

/** @param granted if `owner` is empty, the id of the new account becomes its owner */
export function approveAccount(
  { id }: AccountRequest,
  { owner, plan }: { readonly owner: string; readonly plan: string },
  reason: string,
): Change<SignInLink> {
  const body = { ...(owner === '' ? {} : { owner }), plan, ...(reason === '' ? {} : { reason }) };
  return { method: 'POST', path: `/account-requests/${encodeURIComponent(id)}/approve`, body };
}

export function declineAccount({ id }: AccountRequest, reason: string): Change<AccountRequest> {
  const body = reason === '' ? {} : { reason };
  return { method: 'POST', path: `/account-requests/${encodeURIComponent(id)}/decline`, body };
}

export function createAccount(body: NewAccount, reason: string): Change<Account> {
  return { method: 'POST', path: '/accounts', body, reason };
}

export function updateAccount({ id }: Account, body: AccountPatch, reason: string): Change<Account> {
  return { method: 'PATCH', path: pathTo(id), body, reason };
}

export function deleteAccount({ id }: Account, reason: string): Change {
  return { method: 'DELETE', path: pathTo(id), reason };
}

/** @param seconds the lifetime of the link */
export function createLink({ id }: Account, seconds: number, reason: string): Change<SignInLink> {
  return { method: 'POST', path: `${pathTo(id)}/sign-in-link`, body: { seconds }, reason };
}

export function decide({ id }: PlanRequest, verdict: 'approve' | 'decline', reason: string): Change<PlanRequest> {
  const body = reason === '' ? {} : { reason };
  return { method: 'POST', path: `/plan-requests/${encodeURIComponent(id)}/${verdict}`, body };
}

function pathTo(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}
