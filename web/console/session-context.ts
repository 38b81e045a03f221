import { createContext, useContext } from 'react';
import type { Session } from './api/session.ts';

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Viewers see no buttons that would be refused. */
export function useSession(): Session & { readonly canChange: boolean } {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session here');
  return { ...session, canChange: session.role === 'admin' };
}
