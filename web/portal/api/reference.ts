import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import { queryClient } from '../../shared/transport/query-client.ts';
import { isSignedIn, readVisitor } from './session.ts';
import { parseInTurns } from './transport/parse-in-turns.ts';
import { api, API_URL, type Schemas } from './transport/client.ts';

/** The URL where the OpenAPI document of the API can be downloaded. */
export function documentUrl(): string {
  return `${API_URL}${isSignedIn() ? '/reference' : '/public/reference'}`;
}

/**
 * Documents are never stale, because they do not change. Structural sharing is off, because comparing a large document
 * with the previous one would take longer than rendering it.
 */
const DOCUMENT = { staleTime: Infinity, structuralSharing: false } as const;

/** The list of all operations. For a signed-in user, it marks the operations that the plan or key does not include. */
export const indexQuery = queryOptions({
  ...DOCUMENT,
  queryKey: ['reference', 'index'],
  queryFn: ({ signal }) =>
    parseDocument(api.GET(isSignedIn() ? '/reference/index' : '/public/reference/index', { signal, parseAs: 'text' })),
});

/**
 * The part of the document about one operation (by id), one event of a service (by type) or one schema (by name),
 * including everything to which that part refers.
 */
export const partQuery = (kind: 'operation' | 'event' | 'schema', name: string) =>
  queryOptions({
    ...DOCUMENT,
    queryKey: ['reference', kind, name],
    queryFn: ({ signal }) =>
      parseDocument(
        api.GET('/public/reference/part', { params: { query: { [kind]: name } }, signal, parseAs: 'text' }),
      ),
  });

/** Loads an operation before its screen asks for it, unless the user has to sign in first. Never rejects. */
export async function preloadOperation(id: string): Promise<void> {
  if (!(await readVisitor())) return;
  await Promise.all([queryClient.prefetchQuery(indexQuery), queryClient.prefetchQuery(partQuery('operation', id))]);
}

export type SearchIndex = Schemas['SearchIndex'];

/** The index that the search needs in addition to the list of operations. */
export const searchIndexQuery = queryOptions({
  ...DOCUMENT,
  queryKey: ['reference', 'search'],
  queryFn: async ({ signal }) =>
    (await parseDocument(api.GET('/public/reference/search', { signal, parseAs: 'text' }))) as unknown as SearchIndex,
});

async function parseDocument(pending: Parameters<typeof readResponse<string>>[0]): Promise<Record<string, unknown>> {
  const document = (await parseInTurns(await readResponse(pending))) as Record<string, unknown>;
  // Let the caller continue in a separate task, because parsing has already blocked the page for a while.
  await new Promise((resolve) => setTimeout(resolve));
  return document;
}
