import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, rootRouteId, useRouterState } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { lazyPart } from '../../shared/behavior/lazy-part.tsx';
import { SESSION_KEY } from '../../shared/transport/query-client.ts';
import { SiteNameContext } from '../../shared/ui/page/page.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';
import { sessionQuery, siteQuery, type Whoami } from '../api/session.ts';
import { ArrivalContext, SessionContext, SiteContext } from '../session/session-context.ts';
import { Shell } from './shell.tsx';

/** Loaded on demand, because toasts are shown only after actions in a session. */
const Toasts = lazyPart(async () => (await import('../../shared/ui/overlays/toast.tsx')).Toasts);
const SignInScreen = lazyPart(async () => (await import('../screens/sign-in/sign-in-screen.tsx')).SignInScreen);

/**
 * Shows the screen of the URL, or the sign-in page in its place. The URL stays the same, so that a shared link leads to
 * its page after the sign-in. Signed-in users who open a sign-in link get the sign-in page, too, because the link may
 * be for another account.
 */
export function App() {
  const site = useQuery(siteQuery);
  const session = useQuery(sessionQuery);
  const { token } = useContext(ArrivalContext);
  const accent = site.data?.accent ?? null;
  useEffect(() => {
    if (accent !== null) void showAccent(accent);
  }, [accent]);
  const hadSession = useHadSession(session.data);
  const isForEverybody = useRouterState({
    // Only the root route matches an unknown URL. Its page needs no session.
    select: ({ matches }) =>
      matches.every(({ routeId, staticData }) => routeId === rootRouteId || staticData.isForEverybody === true),
  });
  const failed = [site, session].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <Failure title="The portal did not respond" onRetry={() => void failed.refetch()}>
        <p>Requests made with your keys are not affected. {failed.error?.message}</p>
      </Failure>
    );
  }
  if (site.data === undefined || session.data === undefined) return null;
  const isShown = token === null && (session.data !== null || (site.data.public && isForEverybody));
  return (
    <SiteContext value={site.data}>
      <SiteNameContext value={site.data.title}>
        {isShown ? (
          <SessionContext value={session.data}>
            <Shell>
              <Outlet />
            </Shell>
            {session.data !== null && <Toasts />}
          </SessionContext>
        ) : (
          <SignInScreen session={session.data} hasEnded={hadSession} />
        )}
      </SiteNameContext>
    </SiteContext>
  );
}

/** Sets the color of the team. The code is loaded only if the team has set one. */
async function showAccent(accent: string): Promise<void> {
  const brand = await import('../session/brand.ts').catch(() => null);
  brand?.applyAccent(accent);
}

/**
 * True if a user has signed in since the page was opened. Once the session has ended, the data that was read in it is
 * removed.
 */
function useHadSession(session: Whoami | null | undefined): boolean {
  const queries = useQueryClient();
  const [had, setHad] = useState(false);
  const hasEnded = had && session === null;
  const [site] = siteQuery.queryKey;
  useEffect(() => {
    if (hasEnded) queries.removeQueries({ predicate: ({ queryKey: [key] }) => key !== site && key !== SESSION_KEY[0] });
  }, [hasEnded, queries, site]);
  if (session != null && !had) setHad(true);
  return had;
}
