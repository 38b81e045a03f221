import { createContext, useContext } from 'react';
import type { Session } from '../api/session.ts';
import type { Arrival } from '../../shared/behavior/arrival.ts';

export const SessionContext = createContext<Session | null>(null);

export const ArrivalContext = createContext<Arrival>({ token: null, failure: null });

/**
 * The signed-in user. `canChange` is false for viewers, who see no buttons for changes because the API would refuse
 * them.
 */
export function useSession(): Session & { readonly canChange: boolean } {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session here');
  return { ...session, canChange: session.role === 'admin' };
}
