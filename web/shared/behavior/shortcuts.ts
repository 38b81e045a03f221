import { useEffect } from 'react';

/** Actions by key. A key may be two that follow each other, such as `g k`. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const STORED_AS = 'tollgate-shortcuts';
const SEQUENCE_MS = 900;

let pending = '';
let pendingAtMs = 0;

/** Whether the reader wants shortcuts of single keys; they get in the way of speech input. */
export function shortcutsEnabled(): boolean {
  return localStorage.getItem(STORED_AS) !== 'off';
}

export function enableShortcuts(enabled: boolean): void {
  localStorage.setItem(STORED_AS, enabled ? 'on' : 'off');
}

/** Holds while the component is there, except while the reader types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !shortcutsEnabled()) return;
      const action = shortcuts[`${prefix()}${event.key}`];
      if (action === undefined) return;
      event.preventDefault();
      pending = '';
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts]);
}

// On Apple's systems, Ctrl K deletes to the end of the line.
const onApple = /Mac OS X|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open the search, as they are written. */
export const SEARCH_KEYS = onApple ? '⌘ K' : 'Ctrl K';
export const ARIA_SEARCH_KEYS = onApple ? 'Meta+K /' : 'Control+K /';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys): boolean {
  const [wanted, other] = onApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return wanted && !other && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

/** Ctrl K works in fields too, and without single-key shortcuts, but not in a dialog: what is typed there would be lost. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isSearchKey(event) || isInDialog(event.target)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
}

/** Remembers the first key of two, for whichever shortcut begins with it. */
export function rememberPrefix(key: string): void {
  pending = key;
  pendingAtMs = Date.now();
}

function prefix(): string {
  return pending !== '' && Date.now() - pendingAtMs < SEQUENCE_MS ? `${pending} ` : '';
}

/** Whether a key goes to a field, or to a dialog. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type="checkbox"]), textarea, select') || isInDialog(target);
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role="dialog"]') !== null;
}
