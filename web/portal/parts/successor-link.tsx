import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsOf } from '../reference/model/reference.ts';
import { findSuccessor } from '../reference/model/successor.ts';
import { referenceQuery } from './reference-query.ts';

/** Links to the operation that replaces a deprecated one. */
export function SuccessorLink({ method, successor }: { readonly method: string; readonly successor: string }) {
  const reference = useQuery(referenceQuery);
  const found =
    reference.data === undefined ? undefined : findSuccessor(operationsOf(reference.data), method, successor);
  if (found === undefined) return <code>{successor}</code>;
  return (
    <Link to="/reference/$id" params={{ id: found.id }}>
      <code>{successor}</code>
    </Link>
  );
}
