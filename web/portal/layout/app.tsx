import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { Toasts } from '../../shared/ui/overlays/toast.tsx';
import { SiteNameContext } from '../../shared/ui/page/page.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';
import { sessionQuery, siteQuery } from '../api/session.ts';
import { SignInScreen } from '../screens/sign-in/sign-in-screen.tsx';
import { applyAccent } from '../session/brand.ts';
import { ArrivalContext, SessionContext, SiteContext } from '../session/session-context.ts';
import { Shell } from './shell.tsx';

/** Of whoever was signed in: the link that they came with is spent, and what failed on the way is past. */
const SESSION_ENDED = { token: null, failure: 'session_ended' };

/** The address stays while somebody signs in, so that a link that was sent opens what it shows. */
export function App() {
  const site = useQuery(siteQuery);
  const session = useQuery(sessionQuery);
  const [arrival, setArrival] = useState(useContext(ArrivalContext));
  const isSignedIn = session.data != null;
  useEffect(() => {
    if (isSignedIn) setArrival(SESSION_ENDED);
  }, [isSignedIn]);
  const accent = site.data?.accent ?? null;
  useEffect(() => applyAccent(accent), [accent]);
  const failed = [site, session].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <Failure title="The portal did not answer" onRetry={() => void failed.refetch()}>
        <p>Calls with your keys are not affected by that. {failed.error?.message}</p>
      </Failure>
    );
  }
  if (site.data === undefined || session.data === undefined) return null;
  return (
    <SiteContext value={site.data}>
      <SiteNameContext value={site.data.title}>
        {session.data === null ? (
          <ArrivalContext value={arrival}>
            <SignInScreen />
          </ArrivalContext>
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
