import { useEffect } from 'react';

/** What single keys do; a key may be two that follow each other, such as `g k`. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

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

/** Remembers the first key of two, for whichever shortcut begins with it. */
export function rememberPrefix(key: string): void {
  pending = key;
  pendingAtMs = Date.now();
}

function prefix(): string {
  return pending !== '' && Date.now() - pendingAtMs < SEQUENCE_MS ? `${pending} ` : '';
}

/** Whether a key goes to a field, or to a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type="checkbox"]), textarea, select') || target.closest('[role="dialog"]') !== null;
}
