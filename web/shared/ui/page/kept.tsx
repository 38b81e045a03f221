import type { ReactNode } from 'react';
import styles from './kept.module.css';

/**
 * Shows its children dimmed while newer data is loading, so that they stay in place.
 *
 * @param isOld true while newer data is loading
 */
export function Kept({ isOld, children }: { readonly isOld: boolean; readonly children: ReactNode }) {
  return (
    <div aria-busy={isOld} className={isOld ? styles.old : undefined}>
      {children}
    </div>
  );
}
