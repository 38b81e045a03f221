import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { isSignedIn } from './session.ts';
import { TRY_TIMEOUT_MS } from './tried-call.ts';
import { api, API_URL, type Schemas, send } from './transport/client.ts';

export type TryAnswer = Schemas['TryAnswer'];

/** Where the OpenAPI document of the API can be downloaded. */
export function documentUrl(): string {
  return `${API_URL}${isSignedIn() ? '/reference' : '/public/reference'}`;
}

/** The OpenAPI document of the API; in a session, with marks on what the plan or key does not include. */
export const documentQuery = queryOptions({
  queryKey: ['reference'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answerOf(api.GET(isSignedIn() ? '/reference' : '/public/reference', { signal })),
});

export interface TriedCall {
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bodyEncoding: 'utf8' | 'base64';
}

/**
 * Calls an operation with a key of one's own, through the gateway.
 *
 * @throws ApiError
 */
export function tryCall(call: TriedCall): Promise<TryAnswer> {
  return send<TryAnswer>({ method: 'POST', path: '/try', body: call, timeoutMs: TRY_TIMEOUT_MS });
}
