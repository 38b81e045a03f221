import { type ReactNode, useState } from 'react';
import styles from './reference.module.css';

interface Props {
  readonly label: ReactNode;
  /** The label while the contents are shown. By default, it is the same as `label`. */
  readonly openLabel?: ReactNode;
  /** True if the contents are shown at first. The user can hide them. */
  readonly startsOpen?: boolean;
  /** Shows the contents when it becomes true. The user can hide them again. */
  readonly isOpen?: boolean;
  /** Called when the contents are first shown. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** A collapsible part of a page, whose contents are rendered only when they are shown. */
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
        // The event also occurs if the page shows the contents, so compare with the state.
        if (currentTarget.open && !open) onOpen?.();
        setOpen(currentTarget.open);
      }}
    >
      <summary>{open ? openLabel : label}</summary>
      {open && children}
    </details>
  );
}
