import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { LIVE_REFRESH_MS } from '../../shared/transport/refresh.ts';
import { api, type Schemas } from './transport/client.ts';

export type Explanation = Schemas['Explanation'];
export type RecentRefusal = Schemas['RecentRefusal'];
export type PastBan = Schemas['PastBan'];

export const explanationQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) =>
      readResponse(api.GET('/requests/{requestId}', { params: { path: { requestId } }, signal })),
  });

/** The user's latest stored refusals and bans. */
export const refusalsQuery = queryOptions({
  queryKey: ['requests'],
  queryFn: ({ signal }) => readResponse(api.GET('/requests', { signal })),
  refetchInterval: LIVE_REFRESH_MS,
});
