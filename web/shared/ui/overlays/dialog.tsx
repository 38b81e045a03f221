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
  /** The reader wants to close it: Escape, a click beside it, or the button. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** Its first field says what it is for: the title is only read aloud. */
  readonly withoutHead?: boolean;
}

/**
 * The element that had the focus before a dialog was opened, or before the first of several that follow one another.
 */
let opener: Element | null = null;

/**
 * Puts the focus into its first field, and back where it was once it is closed. If something was entered into its form,
 * Escape and a click beside it ask before that is discarded.
 */
export function Dialog({ title, open, onClose, children, wide = false, withoutHead = false }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  useState(rememberOpener);
  // The opener may have disappeared with the change, such as the row of a session that was ended.
  useKeptFocus(backToOpener);
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
          // A finger would bring up the keyboard of the phone, over the words that say what will happen.
          initialFocus={(type) => (type === 'touch' ? true : (firstField(popup.current) ?? true))}
          finalFocus={() => backToOpener() ?? document.querySelector('main')}
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
  // Not by what has the focus: a button of the first dialog that was disabled when it was pressed has lost it.
  if (document.querySelector('[role="dialog"]') === null) opener = document.activeElement;
}

/** Or a button that says that it comes first. */
function firstField(popup: HTMLElement | null): HTMLElement | null {
  return popup?.querySelector<HTMLElement>('[data-first], input, select, textarea') ?? null;
}

function backToOpener(): HTMLElement | null {
  // Opened by a shortcut, nothing had the focus: without another place for it, it would go to the link that skips to
  // the content, which appears only then.
  return opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : null;
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return <footer className={styles.foot}>{children}</footer>;
}
