import { queryOptions } from '@tanstack/react-query';
import errors from 'docs/errors.md?url';
import { loadLater } from '../../../shared/behavior/lazy-part.tsx';
import { parseError } from '../../../shared/transport/error.ts';
import { readResponse, fetchWithTimeout } from '../../../shared/transport/fetch.ts';
import { queryClient } from '../../../shared/transport/query-client.ts';
import { api } from '../../api/transport/client.ts';
import { apiErrors } from './guide-pages.ts';

/** The sections of all guides by their headings, with the current limits. */
export const sectionsQuery = queryOptions({
  queryKey: ['guides', 'sections'],
  queryFn: ({ signal }) => readResponse(api.GET('/public/guides', { signal })),
  select: ({ items }): ReadonlyMap<string, string> =>
    new Map(items.flatMap(({ sections }) => sections.map(({ title, markdown }) => [title, markdown]))),
});

/** The errors with which the gateway responds to calls. */
export const errorsQuery = queryOptions({
  queryKey: ['guides', 'errors'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => apiErrors(await textAt(errors, signal)),
});

loadLater(() => Promise.all([queryClient.prefetchQuery(sectionsQuery), queryClient.prefetchQuery(errorsQuery)]));

/** @throws ApiError */
async function textAt(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetchWithTimeout(new Request(url, { signal }));
  const text = await response.text();
  if (!response.ok) throw parseError(response.status, undefined);
  return text;
}
