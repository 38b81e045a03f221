import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isStatus } from './error.ts';

/** The cache key of the signed-in user; null if there is no session. */
export const SESSION_KEY = ['session'] as const;

const MAX_RETRIES = 2;

/** The `meta` of a query that needs no session, so that a 401 to it does not mean that the session has ended. */
export const WITHOUT_SESSION = { needsSession: false };

/** Caches data from the server. A 401 to any other request means that the session has ended. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta }) => {
      if (meta !== WITHOUT_SESSION) endSession(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) => failures < MAX_RETRIES && mayPass(error),
    },
  },
});

function endSession(error: unknown): void {
  if (!isStatus(error, 401)) return;
  queryClient.setQueryData(SESSION_KEY, null);
}

/** Refusals are final, but a failure of the store or the network may be over a moment later. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
