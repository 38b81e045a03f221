import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { Note } from '../../../shared/ui/page/states.tsx';

/** Names the plans that include the operation, because the user's own plan does not. */
export function NotIncluded({ plans }: { readonly plans: readonly string[] }) {
  return (
    <Note tone="refused" icon={Lock}>
      Your plan or key does not include this operation: calls return <code>403 operation_not_allowed</code>.{' '}
      {plans.length === 0 ? (
        'Ask the team behind this API for access.'
      ) : (
        <>
          These plans include it: {plans.join(', ')}. <Link to="/plans">Request a plan</Link>
        </>
      )}
    </Note>
  );
}
