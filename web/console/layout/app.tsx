import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Toasts } from '../../shared/ui/toast.tsx';
import { Failure } from '../../shared/ui/states.tsx';
import { sessionQuery } from '../api/session.ts';
import { SignInScreen } from '../screens/sign-in/sign-in-screen.tsx';
import { SessionContext } from '../session-context.ts';
import { Shell } from './shell.tsx';

/** The address stays while somebody signs in, so that a link that was sent opens what it shows. */
export function App() {
  const session = useQuery(sessionQuery);
  if (session.data === undefined) {
    if (!session.isError) return null;
    return (
      <Failure title="The gateway did not answer" onRetry={() => void session.refetch()}>
        <p>This page is here, but the admin API behind it is not. {session.error.message}</p>
        <p>Check that the gateway runs, then try again.</p>
      </Failure>
    );
  }
  if (session.data === null) return <SignInScreen />;
  return (
    <SessionContext value={session.data}>
      <Shell>
        <Outlet />
      </Shell>
      <Toasts />
    </SessionContext>
  );
}
