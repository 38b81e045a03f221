import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { api, type Schemas } from './transport/client.ts';

export type Change = Schemas['Change'];

/** Deprecated operations that were called. */
export const changesQuery = queryOptions({
  queryKey: ['changes'],
  queryFn: ({ signal }) => readResponse(api.GET('/changes', { signal })),
  select: ({ items }) => items,
});
