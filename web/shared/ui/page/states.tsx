import { CircleAlert, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './states.module.css';

/** Replaces an empty list. It says what the list will contain, and how to fill it. */
export function Empty({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon size={20} aria-hidden />
      </span>
      <h2>{title}</h2>
      <div className={styles.words}>{children}</div>
      {action}
    </div>
  );
}

/** Shows a failure, and says what to do about it. */
export function Failure({
  title,
  children,
  onRetry,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onRetry?: () => void;
}) {
  return (
    <div className={styles.state} role="alert">
      <span className={`${styles.icon} ${styles.failed}`}>
        <CircleAlert size={20} aria-hidden />
      </span>
      <h2>{title}</h2>
      <div className={styles.words}>{children}</div>
      {onRetry !== undefined && (
        <Button icon={RotateCw} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** A placeholder for rows that are loading. */
export function Loading({ rows = 6, label = 'Loading' }: { readonly rows?: number; readonly label?: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles.bone} />
      ))}
    </div>
  );
}

/** A highlighted text, such as a warning or the effect of an action. */
export function Note({
  tone = 'neutral',
  icon: Icon,
  children,
}: {
  readonly tone?: 'neutral' | 'refused' | 'failed' | 'served' | 'banned';
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <div className={`${styles.note} ${styles[`${tone}Note`]}`}>
      {Icon !== undefined && <Icon size={16} aria-hidden />}
      <div>{children}</div>
    </div>
  );
}
