import type { ReactNode } from 'react';
import styles from './kept.module.css';

/**
 * Keeps its children in place, dimmed, until newer ones arrive.
 *
 * @param isOld whether newer ones are being loaded
 */
export function Kept({ isOld, children }: { readonly isOld: boolean; readonly children: ReactNode }) {
  return (
    <div aria-busy={isOld} className={isOld ? styles.old : undefined}>
      {children}
    </div>
  );
}
