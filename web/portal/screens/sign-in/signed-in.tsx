import { Navigate, useSearch } from '@tanstack/react-router';

/** Where the URL of the sign-in page leads in a session: to the operation that the visitor wanted to try. */
export function SignedIn() {
  const { operation } = useSearch({ from: '/sign-in' });
  if (operation === undefined) return <Navigate to="/overview" replace />;
  return <Navigate to="/reference/$id" params={{ id: operation }} search={{ at: 'try' }} replace />;
}
