import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isStatus } from './error.ts';

/** The query key of the signed-in user. The data is null if nobody is signed in. */
export const SESSION_KEY = ['session'] as const;

const MAX_RETRIES = 2;

/** Marks a query that needs no session (`meta`), so that a 401 to it does not end the session. */
export const META_WITHOUT_SESSION = { needsSession: false };

/** The cache of the server's data. A 401 means that the session has ended, except for queries that need none. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta }) => {
      if (meta !== META_WITHOUT_SESSION) endSession(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) => failures < MAX_RETRIES && mayBeTemporary(error),
    },
  },
});

function endSession(error: unknown): void {
  if (!isStatus(error, 401)) return;
  queryClient.setQueryData(SESSION_KEY, null);
}

/**
 * True if repeating the request may succeed. Refusals are final, but a failure of the store or the network may soon be
 * over.
 */
function mayBeTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
