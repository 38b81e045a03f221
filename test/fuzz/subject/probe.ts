import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { watchGlobals } from './globals.ts';

/**
 * Is loaded into a gateway before the gateway's code (`--import`). Over the IPC channel, it reports the heap and the
 * open sockets of the process, and sets its wall clock.
 */
export interface ProbeRequest {
  readonly id: number;
  /** The offset of the wall clock from the real time, in ms. */
  readonly clock?: number;
  /** True to collect garbage first, so that the heap contains only live objects. */
  readonly collect?: boolean;
}

export interface ProbeReply {
  readonly id: number;
  readonly heap: number;
  /** The number of open sockets, by local port. */
  readonly sockets: Readonly<Record<number, number>>;
  /** The global object that was modified. Null if none was. */
  readonly polluted: string | null;
}

/** The function is deprecated, but there is no other way to list sockets to which nothing else refers. */
const activeHandles = (process as unknown as Record<string, () => unknown[]>)['_getActiveHandles']!.bind(process);
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
const pollution = watchGlobals();

function respond({ id, clock, collect }: ProbeRequest): void {
  if (clock !== undefined) offset = clock;
  if (collect === true) globalThis.gc?.();
  const sockets: Record<number, number> = {};
  for (const handle of activeHandles()) {
    if (!(handle instanceof Socket) || handle.localPort === undefined) continue;
    sockets[handle.localPort] = (sockets[handle.localPort] ?? 0) + 1;
  }
  const { used_heap_size: heap } = getHeapStatistics();
  process.send?.({ id, heap, sockets, polluted: pollution() } satisfies ProbeReply);
}

/** Reports an uncaught error before the gateway handles it. The gateway may still attribute the error to a request. */
const reportUncaught = (error: unknown) =>
  void process.send?.({ uncaught: error instanceof Error ? error.stack : String(error) });
process.on('uncaughtExceptionMonitor', reportUncaught);
process.on('unhandledRejection', reportUncaught);
process.on('message', (question) => respond(question as ProbeRequest));
// The IPC channel must not keep the gateway running.
process.channel?.unref();
