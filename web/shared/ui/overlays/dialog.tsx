import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { iconButtonClass } from '../controls/button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly open: boolean;
  /** The reader wants to close it: Escape, a click beside it, or the button. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ title, open, onClose, children, wide = false }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={wide ? `${styles.popup} ${styles.wide}` : styles.popup}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close aria-label="Close" className={iconButtonClass()}>
              <X size={16} aria-hidden />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return <footer className={styles.foot}>{children}</footer>;
}
