import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryStore } from '../store/history-store.ts';
import {
  type CallMessage,
  type WorkerMessage,
  type HistoryWorkerOptions,
  sentError,
  sentResult,
} from './worker-messages.ts';

/**
 * The thread that has the history to itself: neither a report nor the encoding of a chunk holds up a request.
 */

const port = parentPort;
if (port === null) throw new Error('this module must run in a worker thread');
const send = (message: WorkerMessage) => port.postMessage(message);

async function open({ records, file, keep, waitMs }: HistoryWorkerOptions): Promise<HistoryStore> {
  // Only what is needed is loaded: the start waits for this thread.
  if (records.kind === 'postgres') {
    const { PostgresHistory } = await import('../postgres/postgres-history.ts');
    return new PostgresHistory(records.url, keep);
  }
  const { openSqliteHistory } = await import('../sqlite/sqlite-history.ts');
  const wait = { limitMs: waitMs, onWait: (message: string) => send({ kind: 'waiting', message }) };
  return openSqliteHistory({ file, recordsFile: records.file, keep, wait });
}

async function answer(store: HistoryStore, { id, method, args }: CallMessage): Promise<void> {
  try {
    const call = store[method] as (...args: unknown[]) => Promise<unknown>;
    const result = await call.call(store, ...args);
    send({ kind: 'result', id, result: sentResult(method, result) });
  } catch (error) {
    send({ kind: 'error', id, error: sentError(error) });
  }
}

/** A report uses a core for seconds: requests come first. Only Linux has priorities of threads. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it; then reports compete with requests.
  }
}

lowerPriority();
try {
  const store = await open(workerData as HistoryWorkerOptions);
  port.on('message', (call: CallMessage) => void answer(store, call));
  send({ kind: 'opened' });
} catch (error) {
  send({ kind: 'error', id: null, error: sentError(error) });
}
