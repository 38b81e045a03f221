import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api } from './transport/client.ts';

/** What the API is, for people who have no key yet. */
export const frontQuery = queryOptions({
  queryKey: ['front'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answerOf(api.GET('/public/front', { signal })),
});
