import { Link } from '@tanstack/react-router';
import { BreakableCode } from '../../shared/ui/data/breakable-code.tsx';
import type { Operation } from '../api/operations.ts';
import styles from './parts.module.css';

interface Props {
  readonly id: string | null;
  readonly operation?: Operation | undefined;
  /** The section of the operation's screen to open. */
  readonly part?: 'callers' | 'violations' | 'candidate';
}

/** Links to an operation by its method and path. Shows the id if the operation is no longer served. */
export function OperationName({ id, operation, part }: Props) {
  if (id === null) return <span className={styles.muted}>no known operation</span>;
  return (
    <Link
      to="/operations/$id"
      params={{ id }}
      search={part === undefined ? {} : { part }}
      data-row-link
      className={styles.name}
    >
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
