import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsOf } from '../reference/model/reference.ts';
import styles from './parts.module.css';
import { referenceQuery } from './reference-query.ts';

/** Links to an operation by its id. The id is null for calls that matched no operation. */
export function OperationLink({ id }: { readonly id: string | null }) {
  const reference = useQuery(referenceQuery);
  const found = reference.data === undefined ? undefined : operationsOf(reference.data).find((each) => each.id === id);
  if (id === null) return <span className={styles.muted}>No matching operation</span>;
  if (found === undefined) return <code>{id}</code>;
  return (
    <Link to="/reference/$id" params={{ id }}>
      <span className={styles.method}>{found.method}</span> <span className={styles.path}>{found.path}</span>
    </Link>
  );
}
