import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { CALM_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type OwnViolation = Schemas['OwnViolation'];

/** The maximum number of rules that the API returns. */
const MAX_RULES = 100;

/** The rules of the reference that the user's calls broke in the last seven days, the most frequent first. */
export const violationsQuery = queryOptions({
  queryKey: ['violations'],
  queryFn: ({ signal }) => readResponse(api.GET('/violations', { params: { query: { limit: MAX_RULES } }, signal })),
  refetchInterval: CALM_REFRESH_MS,
});
