import { Link } from '@tanstack/react-router';
import { BreakableCode } from '../../shared/ui/data/breakable-code.tsx';
import type { Operation } from '../api/operations.ts';
import styles from './parts.module.css';

/** An operation by its method and path; by its id if it is no longer served. */
export function OperationName({ id, operation }: { readonly id: string | null; readonly operation?: Operation }) {
  if (id === null) return <span className={styles.muted}>no known operation</span>;
  return (
    <Link to="/operations/$id" params={{ id }} data-row-link className={styles.name}>
      {operation === undefined ? (
        <code>{id}</code>
      ) : (
        <code>
          {operation.method}&nbsp;
          <BreakableCode text={operation.path} />
        </code>
      )}
    </Link>
  );
}
