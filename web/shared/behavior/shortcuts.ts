import { useEffect } from 'react';

/** Actions by keyboard shortcut: a key, or a sequence of two keys such as `g k`. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const STORAGE_KEY = 'tollgate-shortcuts';
const SEQUENCE_MS = 900;

let pending = '';
let pendingAtMs = 0;

/** True unless the user has turned off single-key shortcuts, which interfere with speech input. */
export function areShortcutsEnabled(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== 'off';
}

export function enableShortcuts(enabled: boolean): void {
  localStorage.setItem(STORAGE_KEY, enabled ? 'on' : 'off');
}

/** Handles the shortcuts while the component is mounted, except while the user types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !areShortcutsEnabled()) return;
      const action = shortcuts[`${readPrefix()}${event.key}`];
      if (action === undefined) return;
      event.preventDefault();
      pending = '';
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts]);
}

// Ctrl K deletes to the end of the line on Apple's systems, so the search uses ⌘ K there.
const isApple = /Mac OS X|iPhone|iPad/.test(navigator.userAgent);

/** The shortcut that opens the search, as shown to the user. */
export const SEARCH_KEYS = isApple ? '⌘ K' : 'Ctrl K';
export const ARIA_SEARCH_KEYS = isApple ? 'Meta+K /' : 'Control+K /';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Keys): boolean {
  const [wanted, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return wanted && !other && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

/** Ctrl K also works in fields and without single-key shortcuts, but not in a dialog, where the input would be lost. */
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

/** Remembers the first key of a sequence for every shortcut that begins with it. */
export function rememberPrefix(key: string): void {
  pending = key;
  pendingAtMs = Date.now();
}

function readPrefix(): string {
  return pending !== '' && Date.now() - pendingAtMs < SEQUENCE_MS ? `${pending} ` : '';
}

/** True if the pressed key is meant for a field or a dialog, not for a shortcut. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type="checkbox"]), textarea, select') || isInDialog(target);
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role="dialog"]') !== null;
}
