import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api, type Schemas } from './transport/client.ts';
import { PAGE_SIZE } from './keys.ts';

export type KeyOwner = Schemas['KeyOwner'];

export const ownersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['owners', search],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...(search === '' ? {} : { q: search }), limit: PAGE_SIZE, cursor };
      return answerOf(api.GET('/owners', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
