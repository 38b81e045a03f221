import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { api } from './transport/client.ts';

/** The description of the API for the front page, which visitors without a key see. */
export const frontQuery = queryOptions({
  queryKey: ['front'],
  staleTime: Infinity,
  queryFn: ({ signal }) => readResponse(api.GET('/public/front', { signal })),
});

/** The plans that visitors without an account see. */
export const publicPlansQuery = queryOptions({
  queryKey: ['public-plans'],
  queryFn: ({ signal }) => readResponse(api.GET('/public/plans', { signal })),
  select: ({ items }) => items,
});

/** The configured limits for calls and keys, except for the limits of plans. */
export const callLimitsQuery = queryOptions({
  queryKey: ['call-limits'],
  queryFn: ({ signal }) => readResponse(api.GET('/public/limits', { signal })),
});

/** The team's own pages, in the order of the navigation. */
export const teamPagesQuery = queryOptions({
  queryKey: ['team-pages'],
  queryFn: ({ signal }) => readResponse(api.GET('/public/pages', { signal })),
  select: ({ items }) => items,
});

/** The team's own pages with their text, for the search. */
export const teamPageTextsQuery = queryOptions({
  queryKey: ['team-page-texts'],
  queryFn: ({ signal }) => readResponse(api.GET('/public/pages', { params: { query: { text: 'true' } }, signal })),
  select: ({ items }) => items,
});

export function teamPageQuery(name: string) {
  return queryOptions({
    queryKey: ['team-pages', name],
    queryFn: ({ signal }) => readResponse(api.GET('/public/pages/{name}', { params: { path: { name } }, signal })),
  });
}
