import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useKeptFocus } from '../../behavior/keep-focus.ts';
import { iconButtonClass } from '../controls/button.tsx';
import { DiscardQuestion } from './discard-question.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly open: boolean;
  /** Called when the user wants to close it: with Escape, a click outside, or the button. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** The first field makes the title redundant, so that only screen readers read the title. */
  readonly withoutHead?: boolean;
}

/** The element that had the focus before a dialog was opened, or before the first of several successive ones. */
let opener: Element | null = null;

/**
 * Moves the focus to the first field, and back when it closes. If something was entered into its form, Escape and a
 * click outside ask before it is discarded.
 */
export function Dialog({ title, open, onClose, children, wide = false, withoutHead = false }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  useState(rememberOpener);
  // The opener may have disappeared with the change, such as the row of an ended session.
  useKeptFocus(returnFocus);
  const isChanged = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const close = (reason: string) => {
    const isByMistake = reason === 'escape-key' || reason === 'outside-press';
    if (!isByMistake || !isChanged.current) return onClose();
    setAsking(reason === 'outside-press' || !isAsking);
  };
  return (
    <Base.Root open={open} onOpenChange={(next, { reason }) => !next && close(reason)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={wide ? `${styles.popup} ${styles.wide}` : styles.popup}
          // On a touch screen, the focus in a field would open the keyboard over the text that says what will happen.
          initialFocus={(type) => (type === 'touch' ? true : (firstField(popup.current) ?? true))}
          finalFocus={() => returnFocus() ?? document.querySelector('main')}
          onInput={(event) => {
            isChanged.current ||= (event.target as Element).closest('form') !== null;
          }}
        >
          {/* While the question is shown, Enter in a field must not submit the form. */}
          <div inert={isAsking} className={styles.rest}>
            <header className={withoutHead ? styles.corner : styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close aria-label="Close" className={iconButtonClass()}>
                <X size={16} aria-hidden />
              </Base.Close>
            </header>
            {children}
          </div>
          {isAsking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function rememberOpener(): void {
  // Does not use the focused element, because a button of the first dialog that was disabled when it was pressed has
  // lost the focus.
  if (document.querySelector('[role="dialog"]') === null) opener = document.activeElement;
}

/** A button that is marked as the first control comes before the fields. */
function firstField(popup: HTMLElement | null): HTMLElement | null {
  return popup?.querySelector<HTMLElement>('[data-first], input, select, textarea') ?? null;
}

function returnFocus(): HTMLElement | null {
  // If a shortcut opened the dialog, nothing had the focus. It would then go to the skip link, which appears only when
  // it is focused.
  return opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : null;
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return <footer className={styles.foot}>{children}</footer>;
}
