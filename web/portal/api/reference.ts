import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { isSignedIn } from './session.ts';
import { TRY_TIMEOUT_MS } from './tried-call.ts';
import { parseInTurns } from './transport/parse-in-turns.ts';
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
  // Comparing it with the one before would take longer than showing it.
  structuralSharing: false,
  queryFn: async ({ signal }) => {
    const text = await answerOf(
      api.GET(isSignedIn() ? '/reference' : '/public/reference', { signal, parseAs: 'text' }),
    );
    return (await parseInTurns(text)) as Record<string, unknown>;
  },
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
