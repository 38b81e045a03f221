import { useCallback, useEffect, useRef } from 'react';
import { isInDialog } from './shortcuts.ts';

/**
 * Collects what the user types between opening the search and the moment when its field has the focus, because the
 * dialog may still be loading.
 *
 * @returns a function that takes the text typed so far; a line feed stands for Enter
 */
export function useTypedAhead(isOpen: boolean): () => string {
  const typed = useRef('');
  useEffect(() => {
    if (!isOpen) return undefined;
    typed.current = '';
    const collect = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target)) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key === 'Enter') typed.current += '\n';
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      // The collected key must not also trigger a shortcut.
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', collect, { capture: true });
    return () => document.removeEventListener('keydown', collect, { capture: true });
  }, [isOpen]);
  return useCallback(() => {
    const taken = typed.current;
    typed.current = '';
    return taken;
  }, []);
}
