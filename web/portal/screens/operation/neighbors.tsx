import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import styles from './neighbors.module.css';

/** The name and the link of a neighboring page. */
export type Neighbor = { readonly name: string } & (
  | { readonly to: '/reference/$id'; readonly params: { readonly id: string } }
  | { readonly to: '/events/$type'; readonly params: { readonly type: string } }
);

interface Props {
  readonly previous: Neighbor | undefined;
  readonly next: Neighbor | undefined;
  /** A label for screen readers that says what the links lead to. */
  readonly label?: string;
}

/** Links to the previous and the next page of a list. */
export function Neighbors({ previous, next, label = 'Other operations' }: Props) {
  return (
    <nav aria-label={label} className={styles.neighbors}>
      {previous !== undefined && (
        <Link to={previous.to} params={previous.params} className={styles.link}>
          <ArrowLeft size={16} aria-hidden />
          <span>
            <span className={styles.which}>Previous</span>
            {previous.name}
          </span>
        </Link>
      )}
      {next !== undefined && (
        <Link to={next.to} params={next.params} className={`${styles.link} ${styles.next}`}>
          <span>
            <span className={styles.which}>Next</span>
            {next.name}
          </span>
          <ArrowRight size={16} aria-hidden />
        </Link>
      )}
    </nav>
  );
}

export function nameOperation({ summary, method, path }: ListedOperation): string {
  return summary ?? `${method} ${path}`;
}
