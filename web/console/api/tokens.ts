import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { STATUS_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { PAGE_SIZE } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';

export type TokenIssuer = Schemas['TokenIssuer'];
type TokenVerifications = TokenIssuer['verifications'];
export type RefusedCaller = TokenVerifications['refusedCallers'][number]['reason'];

/**
 * Reads the issuers of access tokens, with the counts of the responding gateway. One page is enough for all issuers.
 */
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => readResponse(api.GET('/tokens', { params: { query: { limit: PAGE_SIZE } }, signal })),
  staleTime: STATUS_REFRESH_MS,
  refetchInterval: STATUS_REFRESH_MS,
});
