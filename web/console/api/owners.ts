import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api, type Schemas } from './transport/client.ts';
import type { paths } from './transport/schema.ts';
import { PAGE_SIZE } from './keys.ts';

type OwnersQuery = NonNullable<paths['/owners']['get']['parameters']['query']>;
export type KeyOwner = Schemas['KeyOwner'];

export const ownersQuery = (search: string, sort = 'owner') =>
  infiniteQueryOptions({
    queryKey: ['owners', search, sort],
    queryFn: ({ pageParam: cursor, signal }) => {
      const order = sort as OwnersQuery['sort'];
      const query = { ...(search === '' ? {} : { q: search }), sort: order, limit: PAGE_SIZE, cursor };
      return answerOf(api.GET('/owners', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** The first owners whose name has this text, by name. */
export function readOwners(q: string, signal: AbortSignal) {
  return answerOf(api.GET('/owners', { params: { query: { q, limit: PAGE_SIZE } }, signal }));
}
