import { queryOptions } from '@tanstack/react-query';
import { readResponse, readSession } from '../../shared/transport/fetch.ts';
import { SESSION_KEY } from '../../shared/transport/query-client.ts';
import { api, API_URL, sendRequest } from './transport/client.ts';

export interface Session {
  /** The name that the audit log has for the user. */
  readonly name: string;
  readonly role: 'admin' | 'viewer';
}

/** Reads the signed-in user. Null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: Infinity,
  queryFn: () => readSession<Session>(API_URL),
});

/** @throws ApiError 401 if the token is wrong */
export function signIn(token: string): Promise<Session> {
  return sendRequest<Session>({ method: 'POST', path: '/session', body: { token } });
}

export function signOut(): Promise<unknown> {
  return sendRequest({ method: 'DELETE', path: '/session' });
}

type SignInMethod = 'oidc' | 'token';

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<readonly SignInMethod[]> =>
    (await readResponse(api.GET('/session/methods', { signal }))).methods,
});
