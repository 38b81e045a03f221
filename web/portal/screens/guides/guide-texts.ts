import { queryOptions } from '@tanstack/react-query';
import consumers from 'docs/consumers.md?url';
import errors from 'docs/errors.md?url';
import { loadLater } from '../../../shared/behavior/lazy-part.tsx';
import { errorOf } from '../../../shared/transport/error.ts';
import { fetchWithTimeout } from '../../../shared/transport/fetch.ts';
import { queryClient } from '../../../shared/transport/query-client.ts';
import { sectionsOf } from '../../markdown/sections.ts';
import { apiErrors } from './guide-pages.ts';

/** The sections of the page for consumers, by their headings. */
export const sectionsQuery = queryOptions({
  queryKey: ['guides', 'sections'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => sectionsOf(await textAt(consumers, signal)),
});

/** What the gateway may answer a call with. */
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
  if (!response.ok) throw errorOf(response.status, undefined);
  return text;
}
