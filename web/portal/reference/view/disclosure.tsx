import { type ReactNode, useState } from 'react';
import styles from './reference.module.css';

interface Props {
  readonly label: ReactNode;
  /** The label while it is open. */
  readonly openLabel?: ReactNode;
  /** Starts open. The user can close it. */
  readonly startsOpen?: boolean;
  /** Opens it, at any time. The user can close it again. */
  readonly isOpen?: boolean;
  /** Called when the user opens it. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** Renders its contents only once it is opened. */
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
        // Also called if the page opens it.
        if (currentTarget.open && !open) onOpen?.();
        setOpen(currentTarget.open);
      }}
    >
      <summary>{open ? openLabel : label}</summary>
      {open && children}
    </details>
  );
}
