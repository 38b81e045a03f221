import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { api, type Schemas } from './transport/client.ts';

export type Change = Schemas['Change'];

/** The deprecated operations that the user has called. */
export const changesQuery = queryOptions({
  queryKey: ['changes'],
  queryFn: ({ signal }) => readResponse(api.GET('/changes', { signal })),
  select: ({ items }) => items,
});
