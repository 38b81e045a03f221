import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, API_URL, fetchWithTimeout } from './transport/client.ts';
import { send } from './transport/change.ts';
import { errorOf } from './transport/error.ts';

export interface Session {
  /** What the audit log calls them. */
  readonly name: string;
  readonly role: 'admin' | 'viewer';
}

export const SESSION_KEY = ['session'] as const;

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: Infinity,
  queryFn: async (): Promise<Session | null> => {
    const response = await fetchWithTimeout(new Request(`${API_URL}/session`));
    const body: unknown = await response.json().catch(() => undefined);
    if (response.status === 401) return null;
    if (!response.ok) throw errorOf(response.status, body);
    return body as Session;
  },
});

/** @throws ApiError 401 if the token is wrong */
export function signIn(token: string): Promise<Session> {
  return send<Session>({ method: 'POST', path: '/session', body: { token } });
}

export function signOut(): Promise<unknown> {
  return send({ method: 'DELETE', path: '/session' });
}

export type SignInMethod = 'oidc' | 'token';

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<readonly SignInMethod[]> =>
    (await answerOf(api.GET('/session/methods', { signal }))).methods,
});
