import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { CALM_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type OwnViolation = Schemas['OwnViolation'];

/** The maximum that the API returns. */
const MAX_RULES = 100;

/** The rules of the reference that calls of the last seven days broke, most calls first. */
export const violationsQuery = queryOptions({
  queryKey: ['violations'],
  queryFn: ({ signal }) => readResponse(api.GET('/violations', { params: { query: { limit: MAX_RULES } }, signal })),
  refetchInterval: CALM_MS,
});
