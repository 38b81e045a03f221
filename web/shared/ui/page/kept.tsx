import type { ReactNode } from 'react';
import styles from './kept.module.css';

/** What is shown until something newer arrives stays in its place, dimmed. @param isOld whether something newer is awaited */
export function Kept({ isOld, children }: { readonly isOld: boolean; readonly children: ReactNode }) {
  return (
    <div aria-busy={isOld} className={isOld ? styles.old : undefined}>
      {children}
    </div>
  );
}
