import { useSyncExternalStore } from 'react';
import { formatExactTime, formatRelativeTime, formatShortTime } from '../../format/time.ts';

const TICK_MS = 5000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Returns the current time, updated every few seconds by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** Shows a time relative to now. Hovering shows the exact time. */
export function Time({ at }: { readonly at: string | number }) {
  const now = useNow();
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatExactTime(atMs)}>
      {formatRelativeTime(atMs, now)}
    </time>
  );
}

/** Shows a date and time of day. Hovering shows the exact time. */
export function Moment({ at }: { readonly at: string | number }) {
  const now = useNow();
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatExactTime(atMs)}>
      {formatShortTime(atMs, now)}
    </time>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}
