import { useEffect, useRef, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Button, IconButton } from '../controls/button.tsx';
import styles from './toast.module.css';

export interface Toast {
  readonly message: string;
  readonly tone?: 'done' | 'failed';
  /** Where what the message says can be seen. */
  readonly link?: { readonly href: string; readonly label: string };
  /** Takes the change back; null if nothing does. Either way, only the last change can be undone. */
  readonly undo?: (() => void) | null;
}

interface Shown extends Toast {
  readonly id: number;
}

const SHOWN_MS = 8000;
const MAX_SHOWN = 3;

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Tells the reader what has happened, for a while. */
export function toast(message: Toast): void {
  lastId += 1;
  const id = lastId;
  // To take back an earlier one could undo what was done since.
  const earlier = message.undo === undefined ? shown : shown.map((one) => ({ ...one, undo: null }));
  setShown([...earlier, { ...message, id }].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const stack = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = stack.current;
    if (element === null) return undefined;
    // For the dialogs, which leave room for them.
    const resized = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--toasts-height', `${element.clientHeight}px`),
    );
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return (
    <div ref={stack} className={styles.stack} role="status" aria-live="polite">
      {toasts.map((one) => (
        <ToastView key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastView({ toast: { id, message, tone, link, undo } }: { readonly toast: Shown }) {
  const Icon = tone === 'failed' ? CircleAlert : CircleCheck;
  const takeBack = () => {
    dismiss(id);
    undo?.();
  };
  return (
    <div className={styles.toast}>
      <Icon size={16} aria-hidden className={tone === 'failed' ? styles.failed : styles.done} />
      <span className={styles.message}>{message}</span>
      {link !== undefined && <a href={link.href}>{link.label}</a>}
      {undo != null && <Button onClick={takeBack}>Undo</Button>}
      <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}

function dismiss(id: number): void {
  setShown(shown.filter((one) => one.id !== id));
}

function setShown(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
