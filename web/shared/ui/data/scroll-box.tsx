import { createElement, type ReactNode } from 'react';

interface Props {
  /** Describes the contents to screen readers. */
  readonly label: string;
  readonly as?: 'pre' | 'div';
  readonly className?: string;
  readonly children: ReactNode;
}

/** Scrolls contents that may be larger than their box. It can have the focus, so that the keyboard scrolls it. */
export function ScrollBox({ label, as = 'pre', className, children }: Props) {
  return createElement(as, { role: 'group', 'aria-label': label, tabIndex: 0, className }, children);
}
