import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './badge.module.css';

type Tone = 'served' | 'refused' | 'banned' | 'failed' | 'neutral' | 'accent' | 'usual';

/** Shows a state, always with an icon and a word, so that the meaning never depends on color alone. */
export function Badge({
  tone,
  icon: Icon,
  children,
}: {
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <Icon size={12} strokeWidth={2.4} aria-hidden />
      {children}
    </span>
  );
}
