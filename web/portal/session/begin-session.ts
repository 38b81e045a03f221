import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { SESSION_KEY } from '../../shared/transport/query-client.ts';
import { siteQuery, type Whoami } from '../api/session.ts';
import { ArrivalContext } from './session-context.ts';

/**
 * Returns a function that begins a session. It removes the data of an earlier session, which must not be visible in the
 * new one.
 */
export function useBeginSession(): (session: Whoami) => void {
  const queries = useQueryClient();
  const { dismiss } = useContext(ArrivalContext);
  const [site] = siteQuery.queryKey;
  return (session) => {
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => key !== site && key !== SESSION_KEY[0] });
    queries.setQueryData(SESSION_KEY, session);
    dismiss();
  };
}
