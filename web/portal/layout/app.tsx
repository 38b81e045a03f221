import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { Toasts } from '../../shared/ui/overlays/toast.tsx';
import { SiteNameContext } from '../../shared/ui/page/page.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';
import { sessionQuery, siteQuery, type Whoami } from '../api/session.ts';
import { SignInScreen } from '../screens/sign-in/sign-in-screen.tsx';
import { applyAccent } from '../session/brand.ts';
import { ArrivalContext, SessionContext, SiteContext } from '../session/session-context.ts';
import { Shell } from './shell.tsx';

/**
 * The address stays during a sign-in, so that a shared link opens what it refers to. A sign-in link is offered to
 * signed-in users too: it may be for another account.
 */
export function App() {
  const site = useQuery(siteQuery);
  const session = useQuery(sessionQuery);
  const { token } = useContext(ArrivalContext);
  const accent = site.data?.accent ?? null;
  useEffect(() => applyAccent(accent), [accent]);
  const hadSession = useHadSession(session.data);
  const failed = [site, session].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <Failure title="The portal did not respond" onRetry={() => void failed.refetch()}>
        <p>Requests made with your keys are not affected. {failed.error?.message}</p>
      </Failure>
    );
  }
  if (site.data === undefined || session.data === undefined) return null;
  return (
    <SiteContext value={site.data}>
      <SiteNameContext value={site.data.title}>
        {session.data === null || token !== null ? (
          <SignInScreen session={session.data} hasEnded={hadSession} />
        ) : (
          <SessionContext value={session.data}>
            <Shell>
              <Outlet />
            </Shell>
            <Toasts />
          </SessionContext>
        )}
      </SiteNameContext>
    </SiteContext>
  );
}

/** Whether a user has signed in since the page was opened. */
function useHadSession(session: Whoami | null | undefined): boolean {
  const [had, setHad] = useState(false);
  if (session != null && !had) setHad(true);
  return had;
}
