import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Change } from '../../shared/transport/change.ts';
import { readResponse, cursorPaging } from '../../shared/transport/fetch.ts';
import { CALM_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';
import { PAGE_SIZE } from './keys.ts';

export type SessionRow = Schemas['Session'];

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam: cursor, signal }) =>
    readResponse(api.GET('/sessions', { params: { query: { limit: PAGE_SIZE, cursor } }, signal })),
  ...cursorPaging,
  refetchInterval: CALM_REFRESH_MS,
});

export function endSession(id: string, reason: string): Change {
  return { method: 'DELETE', path: `/sessions/${encodeURIComponent(id)}`, reason };
}
