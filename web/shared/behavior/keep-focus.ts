import { useEffect } from 'react';

/** The time after which the result of a change is visible, unless the gateway or the network is slow. */
const SETTLE_MS = 100;
/** The time after which the result of a change is visible, or the change has failed. */
const RESULT_MS = 15_000;

/**
 * Keeps the focus in the page when the component disappears together with the focused element, such as a dialog or the
 * button of a deleted row. The focus moves to `successor`, or else to the content, so that keyboard users can continue
 * there.
 */
export function useKeptFocus(successor: () => HTMLElement | null = findNothing): void {
  useEffect(() => () => void setTimeout(() => holdFocus(successor()), SETTLE_MS), [successor]);
}

function findNothing(): null {
  return null;
}

function holdFocus(successor: HTMLElement | null): void {
  if (document.activeElement === document.body) focus(successor ?? document.querySelector('main'));
  const focused = document.activeElement;
  if (focused !== null && focused !== document.body) holdOnceGone(focused);
}

/**
 * Moves the focus to the content if the focused element is removed later. The result of the change may remove the
 * button that was pressed, or its whole screen.
 */
function holdOnceGone(focused: Element): void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === focused) return;
    observer.disconnect();
    if (!focused.isConnected && document.activeElement === document.body) focus(document.querySelector('main'));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), RESULT_MS);
}

function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
