import type { ReactNode } from 'react';
import styles from './kept.module.css';

/** Keeps its children in their place, dimmed, until something newer arrives. @param isOld whether something newer is awaited */
export function Kept({ isOld, children }: { readonly isOld: boolean; readonly children: ReactNode }) {
  return (
    <div aria-busy={isOld} className={isOld ? styles.old : undefined}>
      {children}
    </div>
  );
}
