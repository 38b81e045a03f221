import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import styles from './neighbors.module.css';

interface Props {
  readonly previous: ListedOperation | undefined;
  readonly next: ListedOperation | undefined;
}

/** The operations before and after, in the order of the reference. */
export function Neighbors({ previous, next }: Props) {
  return (
    <nav aria-label="Other operations" className={styles.neighbors}>
      {previous !== undefined && (
        <Link to="/reference/$id" params={{ id: previous.id }} className={styles.link}>
          <ArrowLeft size={16} aria-hidden />
          <span>
            <span className={styles.which}>Previous</span>
            {nameOf(previous)}
          </span>
        </Link>
      )}
      {next !== undefined && (
        <Link to="/reference/$id" params={{ id: next.id }} className={`${styles.link} ${styles.next}`}>
          <span>
            <span className={styles.which}>Next</span>
            {nameOf(next)}
          </span>
          <ArrowRight size={16} aria-hidden />
        </Link>
      )}
    </nav>
  );
}

export function nameOf({ summary, method, path }: ListedOperation): string {
  return summary ?? `${method} ${path}`;
}
