import { Navigate, useSearch } from '@tanstack/react-router';

/** Redirects signed-in users from the sign-in page to the operation that they wanted to try, or to the overview. */
export function SignedIn() {
  const { operation } = useSearch({ from: '/sign-in' });
  if (operation === undefined) return <Navigate to="/overview" replace />;
  return <Navigate to="/reference/$id" params={{ id: operation }} search={{ at: 'try' }} replace />;
}
