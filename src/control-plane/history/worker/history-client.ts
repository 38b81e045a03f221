import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../../base/time.ts';
import { waitAtMost } from '../../../base/awaitable.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type { HistoryStore } from '../store/history-store.ts';
import {
  type Method,
  type WorkerMessage,
  type HistoryWorkerOptions,
  unpackError,
  unpackResult,
} from './worker-messages.ts';

const WORKER_FILE = new URL('./history-worker.ts', import.meta.url);
const RESTART_MS = 1000;
const CLOSE_LIMIT_MS = 2000;
/**
 * Time limit of a call. It is longer than the database's own limits, so that the error of the database arrives first.
 */
const CALL_LIMIT_MS = MINUTE_MS;

interface CallLimits {
  /** Maximum number of calls in progress. */
  readonly maxCalls: number;
  readonly withinMs: number;
}

const READ_LIMITS: CallLimits = { maxCalls: 80, withinMs: CALL_LIMIT_MS };
/** The limit is higher than for reads, so that writes are accepted even if there are too many reads. */
const WRITE_LIMITS: CallLimits = { maxCalls: 100, withinMs: CALL_LIMIT_MS };
/** Deleting and pruning take long, because they process whole tables, slice by slice. */
const SLOW_WRITE_LIMITS: CallLimits = { ...WRITE_LIMITS, withinMs: 600_000 };

/** The limits of the store's methods. The worker calls the same methods of `SqliteHistory` or `PostgresHistory`. */
const CALL_LIMITS: Readonly<Record<Method, CallLimits>> = {
  write: WRITE_LIMITS,
  usage: READ_LIMITS,
  usageGroups: READ_LIMITS,
  requestsByOwner: READ_LIMITS,
  callers: READ_LIMITS,
  audience: READ_LIMITS,
  violations: READ_LIMITS,
  calls: READ_LIMITS,
  preview: READ_LIMITS,
  keepRefusals: WRITE_LIMITS,
  findRefusals: READ_LIMITS,
  recentRefusals: READ_LIMITS,
  forgetUnused: WRITE_LIMITS,
  deleteOwner: SLOW_WRITE_LIMITS,
  deleteKeys: SLOW_WRITE_LIMITS,
  prune: SLOW_WRITE_LIMITS,
  close: WRITE_LIMITS,
};

/**
 * Opens the history in a worker thread. If the thread dies, pending calls are rejected with `StoreUnavailable`, and the
 * thread is restarted.
 *
 * @throws StartError if the history cannot be used
 */
export async function openHistoryClient(options: HistoryWorkerOptions, logger: Logger): Promise<HistoryStore> {
  const thread = new HistoryThread(options, logger);
  await thread.open();
  const methods = Object.keys(CALL_LIMITS) as Method[];
  const forwardedMethods = methods.map((method) => [method, (...args: unknown[]) => thread.call(method, args)]);
  return { ...(Object.fromEntries(forwardedMethods) as HistoryStore), close: () => thread.close() };
}

interface Call {
  readonly method: Method;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly limit: NodeJS.Timeout;
}

/** The thread and the calls to it. */
class HistoryThread {
  readonly #options: HistoryWorkerOptions;
  readonly #logger: Logger;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  /** Null while no worker accepts calls. */
  #worker: Worker | null = null;
  #isClosing = false;

  constructor(options: HistoryWorkerOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** Resolves once the worker accepts calls. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(WORKER_FILE, { workerData: this.#options, name: 'history' });
      // The worker must not keep the process alive when there is nothing else to do.
      worker.unref();
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'opened') {
          if (this.#isClosing) void worker.terminate();
          this.#worker = worker;
          resolve();
        } else if (message.kind === 'waiting')
          this.#logger.warn({ reason: message.message }, 'waiting for a locked database');
        else if (message.kind === 'result') {
          const call = this.#settle(message.id);
          call?.resolve(unpackResult(call.method, message.result));
        } else if (message.id !== null) this.#settle(message.id)?.reject(unpackError(message.error));
        else reject(unpackError(message.error));
      });
      // Node pipes these streams into stdout and stderr. Without a listener, their errors would be uncaught.
      for (const output of [worker.stdout, worker.stderr]) output.on('error', () => {});
      worker.on('error', (error) => this.#logger.error({ err: error }, 'the history thread failed'));
      worker.on('exit', () => {
        reject(new StoreUnavailable('the history thread has exited'));
        if (this.#worker === worker) void this.#restart();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (worker === null) return;
    worker.ref();
    const closeCall = this.call('close', []).catch(() => {});
    await waitAtMost(CLOSE_LIMIT_MS, closeCall);
    await worker.terminate();
  }

  call(method: Method, args: readonly unknown[]): Promise<unknown> {
    const worker = this.#worker;
    if (worker === null) return Promise.reject(new StoreUnavailable('the history thread is starting'));
    const { maxCalls, withinMs } = CALL_LIMITS[method];
    if (this.#calls.size >= maxCalls) {
      return Promise.reject(new StoreUnavailable('too many requests to the history are in progress'));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const rejectLate = () => this.#settle(id)?.reject(new StoreUnavailable('the history did not respond in time'));
      const limit = setTimeout(rejectLate, withinMs).unref();
      this.#calls.set(id, { method, resolve, reject, limit });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id, method, args });
    });
  }

  #settle(id: number): Call | undefined {
    const call = this.#calls.get(id);
    clearTimeout(call?.limit);
    this.#calls.delete(id);
    return call;
  }

  async #restart(): Promise<void> {
    this.#worker = null;
    for (const id of this.#calls.keys()) {
      this.#settle(id)?.reject(new StoreUnavailable('the history thread has exited'));
    }
    while (!this.#isClosing && this.#worker === null) {
      await sleep(RESTART_MS, undefined, { ref: false });
      await this.open().catch((error: unknown) => {
        this.#logger.error({ err: error }, 'the history thread cannot be started; retrying');
      });
    }
  }
}
