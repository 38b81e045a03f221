import { queryOptions } from '@tanstack/react-query';
import { readResponse, readSession } from '../../shared/transport/fetch.ts';
import { queryClient, SESSION_KEY, META_WITHOUT_SESSION } from '../../shared/transport/query-client.ts';
import { api, API_URL, type Schemas, sendRequest } from './transport/client.ts';

export type Site = Schemas['Site'];
export type Whoami = Schemas['Whoami'];
export type SessionRow = Schemas['Session'];

/** The name, colors and contact of the portal, and the ways to sign in. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  staleTime: Infinity,
  queryFn: ({ signal }) => readResponse(api.GET('/site', { signal })),
});

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: Infinity,
  queryFn: () => readSession<Whoami>(API_URL),
});

/**
 * True if there is a session. Without one, public data is read from separate URLs, whose responses are the same for
 * everybody.
 */
export function isSignedIn(): boolean {
  return queryClient.getQueryData(SESSION_KEY) != null;
}

/**
 * Reads the site and the session, which every page needs. Never rejects.
 *
 * @returns true if public pages can be read, with or without a session; false if the gateway does not respond
 */
export async function readVisitor(): Promise<boolean> {
  await Promise.all([queryClient.prefetchQuery(siteQuery), queryClient.prefetchQuery(sessionQuery)]);
  return isSignedIn() || queryClient.getQueryData(siteQuery.queryKey)?.public === true;
}

/** Finds the account that a sign-in link is for, without using up the link. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    meta: META_WITHOUT_SESSION,
    staleTime: Infinity,
    queryFn: () =>
      sendRequest<{ readonly name: string }>({ method: 'POST', path: '/session/preview', body: { token } }),
  });

/** @throws ApiError 401 if the link or the key is not valid */
export function signIn(credential: { readonly token: string } | { readonly key: string }): Promise<Whoami> {
  return sendRequest<Whoami>({ method: 'POST', path: '/session', body: credential });
}

interface AccountRequest {
  readonly name: string;
  readonly email: string;
  readonly purpose: string;
  /** The plan that the person wants. By default, the plan of new accounts. */
  readonly plan: string | undefined;
}

/** @throws ApiError 429 after too many requests */
export function requestAccount(request: AccountRequest): Promise<unknown> {
  return sendRequest({ method: 'POST', path: '/account-requests', body: request });
}

export function signOut(): Promise<unknown> {
  return sendRequest({ method: 'DELETE', path: '/session' });
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => readResponse(api.GET('/sessions', { signal })),
  select: ({ items }) => items,
});

export function endSession(id: string): Promise<unknown> {
  return sendRequest({ method: 'DELETE', path: `/sessions/${encodeURIComponent(id)}` });
}

/** The maximum length of a name that the API accepts. */
export const MAX_NAME_LENGTH = 128;

export function renameAccount(name: string): Promise<unknown> {
  return sendRequest({ method: 'PATCH', path: '/account', body: { name } });
}
