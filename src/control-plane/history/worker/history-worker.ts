import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../base/thread-priority.ts';
import type { HistoryStore } from '../store/history-store.ts';
import {
  type CallMessage,
  type WorkerMessage,
  type HistoryWorkerOptions,
  packError,
  packResult,
} from './worker-messages.ts';

/** The worker thread of the history. It runs reports and encodes chunks, so that neither delays a request. */

const port = parentPort;
if (port === null) throw new Error('this module must run in a worker thread');
const send = (message: WorkerMessage) => port.postMessage(message);

async function openStore({ records, file, keep, waitMs }: HistoryWorkerOptions): Promise<HistoryStore> {
  // Only the needed module is loaded, because the gateway's start waits for this thread.
  if (records.kind === 'postgres') {
    const { PostgresHistory } = await import('../postgres/postgres-history.ts');
    return new PostgresHistory(records.url, keep);
  }
  const { openSqliteHistory } = await import('../sqlite/sqlite-history.ts');
  const wait = { limitMs: waitMs, onWait: (message: string) => send({ kind: 'waiting', message }) };
  return openSqliteHistory({ file, recordsFile: records.file, keep, wait });
}

async function handleCall(store: HistoryStore, { id, method, args }: CallMessage): Promise<void> {
  try {
    const call = store[method] as (...args: unknown[]) => Promise<unknown>;
    const result = await call.call(store, ...args);
    send({ kind: 'result', id, result: packResult(method, result) });
  } catch (error) {
    send({ kind: 'error', id, error: packError(error) });
  }
}

lowerThreadPriority();
try {
  const store = await openStore(workerData as HistoryWorkerOptions);
  port.on('message', (call: CallMessage) => void handleCall(store, call));
  send({ kind: 'opened' });
} catch (error) {
  send({ kind: 'error', id: null, error: packError(error) });
}
