import { useEffect } from 'react';

/** By then, the result of a change is visible. */
const SETTLE_MS = 100;

/**
 * For elements that disappear with their action, such as a dialog or the button of a deleted row: if they had the
 * focus, the content gets it, so that keyboard users can continue there.
 */
export function useKeptFocus(): void {
  useEffect(() => () => void setTimeout(holdFocus, SETTLE_MS), []);
}

function holdFocus(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
}
