import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useContext, useEffect, useState } from 'react';
import { lazyPart } from '../../shared/behavior/lazy-part.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';
import { Toasts } from '../../shared/ui/overlays/toast.tsx';
import { SESSION_KEY } from '../../shared/transport/query-client.ts';
import { sessionQuery, signIn } from '../api/session.ts';
import { ArrivalContext, SessionContext } from '../session/session-context.ts';
import { Shell } from './shell.tsx';

// Loaded on demand, because most visitors are already signed in.
const SignInScreen = lazyPart(async () => (await import('../screens/sign-in/sign-in-screen.tsx')).SignInScreen);

/** Keeps the URL during a sign-in, so that a shared link opens the linked screen afterwards. */
export function App() {
  const link = useSignInLink();
  const session = useQuery({ ...sessionQuery, enabled: link !== 'pending' });
  if (session.data === undefined) {
    if (!session.isError) return null;
    return (
      <Failure title="The gateway did not respond" onRetry={() => void session.refetch()}>
        <p>The page was loaded, but the admin API does not respond. {session.error.message}</p>
        <p>Check that the gateway is running, then try again.</p>
      </Failure>
    );
  }
  if (session.data === null) return <SignInScreen linkFailure={link instanceof Error ? link : null} />;
  return (
    <SessionContext value={session.data}>
      <Shell>
        <Outlet />
      </Shell>
      <Toasts />
    </SessionContext>
  );
}

let spending: Promise<unknown> | undefined;

/** Uses the token of a sign-in link exactly once, however often React renders. */
function useSignInLink(): 'none' | 'pending' | Error {
  const { token } = useContext(ArrivalContext);
  const queries = useQueryClient();
  const [state, setState] = useState<'none' | 'pending' | Error>(token === null ? 'none' : 'pending');
  useEffect(() => {
    if (token === null) return;
    spending ??= signIn(token).then((session) => queries.setQueryData(SESSION_KEY, session));
    spending.then(
      () => setState('none'),
      (error: Error) => setState(error),
    );
  }, [token, queries]);
  return state;
}
