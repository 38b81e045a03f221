import { useEffect } from 'react';

/** By then, the result of a change is visible. */
const SETTLE_MS = 100;

/**
 * For elements that disappear with their action, such as a dialog or the button of a deleted row: if they had the
 * focus, `successor` gets it, or the content where there is none, so that keyboard users can continue there.
 */
export function useKeptFocus(successor: () => HTMLElement | null = nothing): void {
  useEffect(() => () => void setTimeout(() => holdFocus(successor()), SETTLE_MS), [successor]);
}

function nothing(): null {
  return null;
}

function holdFocus(successor: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const next = successor ?? document.querySelector('main');
  next?.focus({ preventScroll: true });
}
