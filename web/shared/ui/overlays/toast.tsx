import { useEffect, useRef, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Button, IconButton } from '../controls/button.tsx';
import styles from './toast.module.css';

export interface Toast {
  readonly message: string;
  readonly tone?: 'done' | 'failed';
  /** A link to the screen that shows the effect of the change. */
  readonly link?: { readonly href: string; readonly label: string };
  /**
   * Undoes the change. Null if the change cannot be undone. In either case, earlier changes can no longer be undone.
   * Undefined for messages that are not about a change.
   */
  readonly undo?: (() => void) | null;
}

interface ShownToast extends Toast {
  readonly id: number;
}

const SHOWN_MS = 8000;
/** Toasts with Undo stay longer, because users need time to reach the button, especially with the keyboard. */
const SHOWN_WITH_UNDO_MS = 20_000;
/** The interval at which a toast checks whether the pointer or the focus has left it, in ms. */
const HELD_MS = 1000;
const MAX_SHOWN = 3;

let shown: readonly ShownToast[] = [];
let lastId = 0;
/** The element that had the focus before a toast got it. */
let focusedBefore: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Shows a message for a while, and as long as it has the focus or the pointer is on it. */
export function toast(message: Toast): void {
  lastId += 1;
  const id = lastId;
  // Undo of an earlier change could also undo the new one, so earlier messages lose their button.
  const earlier = message.undo === undefined ? shown : shown.map((one) => ({ ...one, undo: null }));
  setShown([...earlier, { ...message, id }].slice(-MAX_SHOWN));
  setTimeout(() => dismissOnceLeft(id), message.undo == null ? SHOWN_MS : SHOWN_WITH_UNDO_MS);
}

/** Undoes the last change, if its message is still shown and has the button Undo. */
export function undoLast(): void {
  const last = shown.findLast(({ undo }) => undo != null);
  if (last !== undefined) takeBack(last);
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const stack = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = stack.current;
    if (element === null) return undefined;
    // Dialogs leave room for the messages, so they need the height.
    const resized = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--toasts-height', `${element.clientHeight}px`),
    );
    resized.observe(element);
    element.addEventListener('focusin', rememberFocus);
    return () => {
      resized.disconnect();
      element.removeEventListener('focusin', rememberFocus);
    };
  }, []);
  return (
    <div ref={stack} className={styles.stack} role="status" aria-live="polite" data-toasts>
      {toasts.map((one) => (
        <ToastView key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastView({ toast: shownToast }: { readonly toast: ShownToast }) {
  const { id, message, tone, link, undo } = shownToast;
  const Icon = tone === 'failed' ? CircleAlert : CircleCheck;
  return (
    <div className={styles.toast}>
      <Icon size={16} aria-hidden className={tone === 'failed' ? styles.failed : styles.done} />
      <span className={styles.message}>{message}</span>
      {link !== undefined && <a href={link.href}>{link.label}</a>}
      {undo != null && <Button onClick={() => returnFocus(() => takeBack(shownToast))}>Undo</Button>}
      <IconButton icon={X} label="Dismiss" onClick={() => returnFocus(() => dismiss(id))} />
    </div>
  );
}

function rememberFocus({ relatedTarget }: FocusEvent): void {
  if (relatedTarget instanceof HTMLElement && relatedTarget.closest('[data-toasts]') === null) {
    focusedBefore = relatedTarget;
  }
}

/** Returns the focus to where it was, before the focused message disappears. */
function returnFocus(done: () => void): void {
  const before = focusedBefore?.isConnected === true ? focusedBefore : document.querySelector('main');
  before?.focus({ preventScroll: true });
  done();
}

function takeBack({ id, undo }: ShownToast): void {
  dismiss(id);
  undo?.();
}

function dismissOnceLeft(id: number): void {
  const isHeld = document.querySelector('[data-toasts]:is(:hover, :focus-within)') !== null;
  if (isHeld) setTimeout(() => dismissOnceLeft(id), HELD_MS);
  else dismiss(id);
}

function dismiss(id: number): void {
  setShown(shown.filter((one) => one.id !== id));
}

function setShown(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
