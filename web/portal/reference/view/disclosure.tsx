import { type ReactNode, useState } from 'react';
import styles from './reference.module.css';

interface Props {
  readonly label: ReactNode;
  /** Instead of `label`, while it is open. */
  readonly openLabel?: ReactNode;
  readonly isOpen?: boolean;
  /** The reader has opened it. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** Holds nothing until it is opened. */
export function Disclosure({ label, openLabel = label, isOpen = false, onOpen, children }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details
      className={styles.inside}
      open={open}
      onToggle={({ currentTarget }) => {
        // One that is open from the start says so, too.
        if (currentTarget.open && !open) onOpen?.();
        setOpen(currentTarget.open);
      }}
    >
      <summary>{open ? openLabel : label}</summary>
      {open && children}
    </details>
  );
}
