import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { buttonClass } from '../controls/button.tsx';
import styles from './toolbar.module.css';

interface Props {
  readonly children: ReactNode;
  readonly aside?: ReactNode;
}

/** Selects the set filters, except for the first. Each filter sets `data-set` on its own element. */
const SET_AFTER_FIRST = ":scope > [data-set='true']:not(:first-child)";

/**
 * The bar above a table, with filters at the left and actions on the whole list at the right. Phones show only the
 * first filter.
 */
export function Toolbar({ children, aside }: Props) {
  const filters = useRef<HTMLDivElement>(null);
  const [set, setSet] = useState(0);
  // Count the filters that are set, except for the first: phones hide them and show the count on a button.
  useLayoutEffect(() => setSet(filters.current?.querySelectorAll(SET_AFTER_FIRST).length ?? 0), [children]);
  const [isOpen, setOpen] = useState(false);
  const hasMore = Children.toArray(children).length > 1;
  return (
    <div className={styles.toolbar}>
      <div ref={filters} className={styles.filters} data-open={isOpen || !hasMore}>
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
