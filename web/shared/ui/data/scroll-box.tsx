import { createElement, type ReactNode } from 'react';

interface Props {
  /** What is in it, for those who do not see it. */
  readonly label: string;
  readonly as?: 'pre' | 'div';
  readonly className?: string;
  readonly children: ReactNode;
}

/** What may be larger than its box. It takes the focus, so that the keyboard scrolls it. */
export function ScrollBox({ label, as = 'pre', className, children }: Props) {
  return createElement(as, { role: 'group', 'aria-label': label, tabIndex: 0, className }, children);
}
