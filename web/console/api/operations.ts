import { queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '../../shared/format/durations.ts';
import { readResponse } from '../../shared/transport/fetch.ts';
import { readAllPages } from './all-pages.ts';
import { PAGE_SIZE } from './keys.ts';
import { api, type Schemas } from './transport/client.ts';

export type Operation = Schemas['Operation'];

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  staleTime: MINUTE_MS,
  queryFn: ({ signal }) =>
    readAllPages<Operation>((cursor) =>
      readResponse(api.GET('/operations', { params: { query: { limit: PAGE_SIZE, cursor } }, signal })),
    ),
});
