import { createContext, useContext } from 'react';
import type { Arrival } from '../../shared/behavior/arrival.ts';
import type { Site, Whoami } from '../api/session.ts';

interface ArrivalState extends Arrival {
  /** Forgets a sign-in link once it was used or declined. */
  readonly dismiss: () => void;
}

export const NO_ARRIVAL: Arrival = { token: null, failure: null };
export const ArrivalContext = createContext<ArrivalState>({ ...NO_ARRIVAL, dismiss: () => {} });
export const SiteContext = createContext<Site | null>(null);
export const SessionContext = createContext<Whoami | null>(null);

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error('the site is not read here');
  return site;
}

/** Returns the session, or null for a visitor of the public pages. */
export function useVisitor(): Whoami | null {
  return useContext(SessionContext);
}

/**
 * Returns the session of the signed-in user. `canChange` is false in the session of a key, which can read and try calls
 * only.
 */
export function useSession(): Whoami & { readonly name: string; readonly canChange: boolean } {
  const whoami = useContext(SessionContext);
  if (whoami === null) throw new Error('there is no session here');
  return { ...whoami, name: whoami.account?.name ?? whoami.key?.name ?? '', canChange: whoami.account !== null };
}
