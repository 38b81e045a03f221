import { type ReactNode, useState } from 'react';
import styles from './reference.module.css';

interface Props {
  readonly label: ReactNode;
  /** Instead of `label`, while it is open. */
  readonly openLabel?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Holds nothing until it is opened. */
export function Disclosure({ label, openLabel = label, isOpen = false, children }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details className={styles.inside} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{open ? openLabel : label}</summary>
      {open && children}
    </details>
  );
}
