import { isStatus } from '../../shared/transport/error.ts';
import { Failure } from '../../shared/ui/page/states.tsx';
import { ContactLink } from './contact-link.tsx';

interface Failed {
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** Says why something could not be loaded, what still works, and what to do. */
export function ReadFailure({ query, what }: { readonly query: Failed; readonly what: string }) {
  const { error } = query;
  return (
    <Failure title={`Could not load ${what}`} onRetry={() => void query.refetch()}>
      {isStatus(error, 0) || isStatus(error, 503) ? (
        <p>The portal cannot be reached at the moment. Requests made with your keys are not affected.</p>
      ) : (
        <p>
          {error?.message} <ContactLink>Contact the team</ContactLink>
        </p>
      )}
    </Failure>
  );
}
