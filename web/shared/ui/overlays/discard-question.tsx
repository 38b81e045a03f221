import { useEffect, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks before the input of a dialog is lost. Escape returns to the dialog. */
export function DiscardQuestion({ onKeep, onDiscard }: Props) {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    question.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div ref={question} role="alertdialog" aria-label="Discard what you entered?" className={styles.question}>
      <p>Discard what you entered?</p>
      <Button kind="primary" onClick={onKeep}>
        Keep editing
      </Button>
      {/* Not red, because a red button with another meaning may have been at its place. */}
      <Button onClick={onDiscard}>Discard</Button>
    </div>
  );
}
