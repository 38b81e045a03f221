import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { TRY_TIMEOUT_MS } from './tried-call.ts';
import { api, API_URL, type Schemas, send } from './transport/client.ts';

export type TryAnswer = Schemas['TryAnswer'];

/** Where the OpenAPI document of the API can be downloaded. */
export const DOCUMENT_URL = `${API_URL}/reference`;

/** The OpenAPI document of the API. */
export const documentQuery = queryOptions({
  queryKey: ['reference'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answerOf(api.GET('/reference', { signal })),
});

export interface TriedCall {
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Calls an operation with a key of one's own, through the gateway.
 *
 * @throws ApiError
 */
export function tryCall(call: TriedCall): Promise<TryAnswer> {
  return send<TryAnswer>({ method: 'POST', path: '/try', body: call, timeoutMs: TRY_TIMEOUT_MS });
}
