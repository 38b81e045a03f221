import { ApiError, isStatus } from '../../shared/transport/error.ts';
import { ClearFilters } from './clear-filters.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';

interface Failed {
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Says why something could not be loaded, what still works, and what to do. */
export function ReadFailure({ query, what }: { readonly query: Failed; readonly what: string }) {
  return (
    <Failure
      title={`Could not load ${what}`}
      onRetry={isStatus(query.error, 400) ? undefined : () => void query.refetch()}
    >
      {wordsFor(query.error)}
      {/* Offers no retry, because the URL determines the request: it would fail again. */}
      {isStatus(query.error, 400) && <ClearFilters />}
    </Failure>
  );
}

function wordsFor(error: Error | null) {
  if (isStatus(error, 0))
    return <p>The gateway did not respond. Traffic may not be affected. Check that it is running.</p>;
  if (error instanceof ApiError && error.status === 503 && error.code !== 'report_timeout') {
    return <p>The gateway cannot reach its database. It keeps serving the keys it knows. {error.message}</p>;
  }
  return <p>{error?.message}</p>;
}
