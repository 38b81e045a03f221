import { useEffect } from 'react';

/** What a change did is shown by then. */
const SETTLE_MS = 100;

/**
 * For what goes away with what it does, such as a dialog, or the button of a row that is deleted: where the focus was on
 * it, the content gets it, so that whoever uses the keyboard goes on from there.
 */
export function useKeptFocus(): void {
  useEffect(() => () => void setTimeout(holdFocus, SETTLE_MS), []);
}

function holdFocus(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
}
