import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { queryClient } from '../../shared/transport/query-client.ts';
import { isSignedIn, readVisitor } from './session.ts';
import { parseInTurns } from './transport/parse-in-turns.ts';
import { api, API_URL, type Schemas } from './transport/client.ts';

/** Where the OpenAPI document of the API can be downloaded. */
export function documentUrl(): string {
  return `${API_URL}${isSignedIn() ? '/reference' : '/public/reference'}`;
}

/** Documents do not change, and comparing one with the one before would take longer than showing it. */
const DOCUMENT = { staleTime: Infinity, structuralSharing: false } as const;

/** A list of all operations; in a session, with marks on what the plan or key does not include. */
export const indexQuery = queryOptions({
  ...DOCUMENT,
  queryKey: ['reference', 'index'],
  queryFn: ({ signal }) =>
    documentOf(api.GET(isSignedIn() ? '/reference/index' : '/public/reference/index', { signal, parseAs: 'text' })),
});

/** An operation by its id, an event of a service by its type, or a schema by its name, with what it refers to. */
export const partQuery = (kind: 'operation' | 'event' | 'schema', name: string) =>
  queryOptions({
    ...DOCUMENT,
    queryKey: ['reference', kind, name],
    queryFn: ({ signal }) =>
      documentOf(api.GET('/public/reference/part', { params: { query: { [kind]: name } }, signal, parseAs: 'text' })),
  });

/** Requests an operation before its screen does, unless the reader has to sign in first. Never rejects. */
export async function preloadOperation(id: string): Promise<void> {
  if (!(await readVisitor())) return;
  await Promise.all([queryClient.prefetchQuery(indexQuery), queryClient.prefetchQuery(partQuery('operation', id))]);
}

export type SearchIndex = Schemas['SearchIndex'];

/** The data that a search needs besides the list of operations. */
export const searchIndexQuery = queryOptions({
  ...DOCUMENT,
  queryKey: ['reference', 'search'],
  queryFn: async ({ signal }) =>
    (await documentOf(api.GET('/public/reference/search', { signal, parseAs: 'text' }))) as unknown as SearchIndex,
});

async function documentOf(pending: Parameters<typeof readResponse<string>>[0]): Promise<Record<string, unknown>> {
  const document = (await parseInTurns(await readResponse(pending))) as Record<string, unknown>;
  // Whoever waits for it goes on in a task of its own: parsing has taken long enough.
  await new Promise((resolve) => setTimeout(resolve));
  return document;
}
