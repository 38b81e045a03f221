import { useQueryClient } from '@tanstack/react-query';
import { SESSION_KEY } from '../../transport/query-client.ts';
import { toast } from '../overlays/toast.tsx';

/** Returns a function that ends the session and reloads the page, without the data that was read in the session. */
export function useSignOut(signOut: () => Promise<unknown>): () => void {
  const queries = useQueryClient();
  return () => {
    signOut().then(
      () => {
        queries.clear();
        queries.setQueryData(SESSION_KEY, null);
        location.reload();
      },
      (error: Error) => toast({ tone: 'failed', message: `You are still signed in. ${error.message}` }),
    );
  };
}
