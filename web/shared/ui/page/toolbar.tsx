import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { buttonClass } from '../controls/button.tsx';
import styles from './toolbar.module.css';

interface Props {
  readonly children: ReactNode;
  readonly aside?: ReactNode;
}

/** Each filter marks its own element when it is set. */
const SET_AFTER_FIRST = ":scope > [data-set='true']:not(:first-child)";

/**
 * The bar above a table: filters at the left, actions on the whole list at the right. Phones show only the first
 * filter.
 */
export function Toolbar({ children, aside }: Props) {
  const filters = useRef<HTMLDivElement>(null);
  const [set, setSet] = useState(0);
  // Phones hide all filters but the first, and say how many of these are set.
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
