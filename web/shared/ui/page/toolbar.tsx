import { Children, type ReactNode, useState } from 'react';
import { buttonClass } from '../controls/button.tsx';
import styles from './toolbar.module.css';

interface Props {
  readonly children: ReactNode;
  /** The values of the filters after the first, empty if not set: phones, which hide these filters, say how many are set. */
  readonly hidden?: readonly (string | undefined)[];
  readonly aside?: ReactNode;
}

/** What is above a table: filters at the left, what is done with all of it at the right. Phones show the first filter. */
export function Toolbar({ children, hidden = [], aside }: Props) {
  const set = hidden.filter(Boolean).length;
  const [isOpen, setOpen] = useState(false);
  const hasMore = Children.toArray(children).length > 1;
  return (
    <div className={styles.toolbar}>
      <div className={styles.filters} data-open={isOpen || !hasMore}>
        {children}
        {hasMore && (
          <button
            type="button"
            className={buttonClass('plain', styles.more)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Filters{set > 0 && ` (${set})`}
          </button>
        )}
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
