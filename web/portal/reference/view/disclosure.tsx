import { type ReactNode, useState } from 'react';
import styles from './reference.module.css';

interface Props {
  readonly label: ReactNode;
  /** Instead of `label`, while it is open. */
  readonly openLabel?: ReactNode;
  /** Open until the reader closes it. */
  readonly startsOpen?: boolean;
  /** Opens it, also later; the reader may close it. */
  readonly isOpen?: boolean;
  /** The reader has opened it. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** Holds nothing until it is opened. */
export function Disclosure({ label, openLabel = label, startsOpen = false, isOpen = false, onOpen, children }: Props) {
  const [open, setOpen] = useState(startsOpen || isOpen);
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen !== wasOpened) {
    setWasOpened(isOpen);
    if (isOpen) setOpen(true);
  }
  return (
    <details
      className={styles.inside}
      open={open}
      onToggle={({ currentTarget }) => {
        // One that is opened by the page says so, too.
        if (currentTarget.open && !open) onOpen?.();
        setOpen(currentTarget.open);
      }}
    >
      <summary>{open ? openLabel : label}</summary>
      {open && children}
    </details>
  );
}
