import { Navigate, useSearch } from '@tanstack/react-router';

/** Where the address of the sign-in leads in a session: back to the operation that the visitor wanted to try. */
export function SignedIn() {
  const { operation } = useSearch({ from: '/sign-in' });
  if (operation === undefined) return <Navigate to="/overview" replace />;
  return <Navigate to="/reference/$id" params={{ id: operation }} search={{ at: 'try' }} replace />;
}
