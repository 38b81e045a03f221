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

/** Only actions in a session show toasts. */
const Toasts = lazyPart(async () => (await import('../../shared/ui/overlays/toast.tsx')).Toasts);
const SignInScreen = lazyPart(async () => (await import('../screens/sign-in/sign-in-screen.tsx')).SignInScreen);

/**
 * The URL stays during a sign-in, so that a shared link opens the linked page. A sign-in link is offered to signed-in
 * users too, because it may be for another account.
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
    // The page for unknown URLs needs no session.
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

/** Loaded only if the team has set a color. Otherwise, the pages keep the portal's own. */
async function showAccent(accent: string): Promise<void> {
  const brand = await import('../session/brand.ts').catch(() => null);
  brand?.applyAccent(accent);
}

/**
 * Whether a user has signed in since the page was opened. When the session ends, the data that was read in it is
 * dropped.
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
