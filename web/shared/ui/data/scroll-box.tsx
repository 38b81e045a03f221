import { createElement, type ReactNode } from 'react';

interface Props {
  /** Describes the contents to screen readers. */
  readonly label: string;
  readonly as?: 'pre' | 'div';
  readonly className?: string;
  readonly children: ReactNode;
}

/** A box that scrolls its contents if they are larger. It can have the focus, so that the keyboard can scroll it. */
export function ScrollBox({ label, as = 'pre', className, children }: Props) {
  return createElement(as, { role: 'group', 'aria-label': label, tabIndex: 0, className }, children);
}
