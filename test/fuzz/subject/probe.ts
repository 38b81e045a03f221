import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { watchGlobals } from './globals.ts';

/**
 * Loaded into a gateway before its own code (`--import`), so that a test can look inside: asked over the channel that a
 * child process has, it tells what the process holds, and sets its wall clock.
 */
export interface Question {
  readonly id: number;
  /** Moves the wall clock from where it really is, in ms. */
  readonly clock?: number;
  /** Collect garbage first, so that the heap is what is held. */
  readonly collect?: boolean;
}

export interface Held {
  readonly id: number;
  readonly heap: number;
  /** Open sockets, by the port at this end. */
  readonly sockets: Readonly<Record<number, number>>;
  /** What has changed of the objects that all code shares; null if nothing has. */
  readonly polluted: string | null;
}

/** Deprecated, but the only way to see sockets that nothing else refers to. */
const activeHandles = (process as unknown as Record<string, () => unknown[]>)['_getActiveHandles']!.bind(process);
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
const pollution = watchGlobals();

function answer({ id, clock, collect }: Question): void {
  if (clock !== undefined) offset = clock;
  if (collect === true) globalThis.gc?.();
  const sockets: Record<number, number> = {};
  for (const handle of activeHandles()) {
    if (!(handle instanceof Socket) || handle.localPort === undefined) continue;
    sockets[handle.localPort] = (sockets[handle.localPort] ?? 0) + 1;
  }
  const { used_heap_size: heap } = getHeapStatistics();
  process.send?.({ id, heap, sockets, polluted: pollution() } satisfies Held);
}

/** Told before the process does anything about it: it may yet find the request that it belongs to. */
const tell = (error: unknown) =>
  void process.send?.({ uncaught: error instanceof Error ? error.stack : String(error) });
process.on('uncaughtExceptionMonitor', tell);
process.on('unhandledRejection', tell);
process.on('message', (question) => answer(question as Question));
// The channel is the test's: it keeps no gateway from its end.
process.channel?.unref();
