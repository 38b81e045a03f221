import type { ComponentProps } from 'react';
import { Page } from '../../shared/ui/page/page.tsx';
import styles from './list-page.module.css';

/** A screen with a list, which is wider than screens with texts and charts. */
export function ListPage(page: ComponentProps<typeof Page>) {
  return (
    <div className={styles.list}>
      <Page {...page} />
    </div>
  );
}
