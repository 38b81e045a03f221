import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../../base/time.ts';
import { waitAtMost } from '../../../base/awaitable.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type {
  Chunk,
  Deleted,
  HistoryStore,
  CallersPage,
  Calls,
  CallersQuery,
  CallsQuery,
  FoundRefusal,
  GroupList,
  GroupsQuery,
  OwnerRequestsQuery,
  PreviewQuery,
  PreviewReport,
  RecentRefusalsQuery,
  RefusalRecord,
  RefusalsPage,
  RepeatedRefusal,
  UsageQuery,
  UsageReport,
} from '../store/history-store.ts';
import {
  type Method,
  type WorkerMessage,
  type HistoryWorkerOptions,
  type PackedReport,
  unpackReport,
  receivedError,
} from './worker-messages.ts';

const WORKER_FILE = new URL('./history-worker.ts', import.meta.url);
const RESTART_MS = 1000;
const CLOSE_LIMIT_MS = 2000;
/** Maximum number of calls that wait for an answer; writes have room in addition to reads. */
const MAX_CALLS = 100;
const MAX_READS = 80;
const WRITES: ReadonlySet<Method> = new Set(['write', 'keepRefusals', 'forgetUnused', 'prune', 'deleteOwner', 'close']);
/** Longer than the database's own limits, so that its reason arrives first. */
const CALL_LIMIT_MS = MINUTE_MS;
/** Deleting and pruning go through everything, slice by slice. */
const SLOW_CALL_LIMIT_MS = 600_000;
const SLOW: ReadonlySet<Method> = new Set(['prune', 'deleteOwner']);

interface Call {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly limit: NodeJS.Timeout;
}

/**
 * The history in a worker thread. If the thread dies, pending calls are rejected with `StoreUnavailable`, and it is
 * restarted.
 */
export class HistoryClient implements HistoryStore {
  readonly #settings: HistoryWorkerOptions;
  readonly #logger: Logger;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  /** Null while there is no worker that answers. */
  #worker: Worker | null = null;
  #closing = false;

  private constructor(settings: HistoryWorkerOptions, logger: Logger) {
    this.#settings = settings;
    this.#logger = logger;
  }

  /** @throws StartError if the history cannot be used */
  static async open(settings: HistoryWorkerOptions, logger: Logger): Promise<HistoryClient> {
    const client = new HistoryClient(settings, logger);
    await client.#start();
    return client;
  }

  write(chunk: Chunk): Promise<void> {
    return this.#call('write', chunk);
  }

  async usage(query: UsageQuery): Promise<UsageReport> {
    return unpackReport(await this.#call<PackedReport>('usage', query));
  }

  usageGroups(query: GroupsQuery): Promise<GroupList> {
    return this.#call('usageGroups', query);
  }

  requestsByOwner(query: OwnerRequestsQuery): Promise<ReadonlyMap<string, number>> {
    return this.#call('requestsByOwner', query);
  }

  callers(query: CallersQuery): Promise<CallersPage> {
    return this.#call('callers', query);
  }

  calls(query: CallsQuery): Promise<Calls[]> {
    return this.#call('calls', query);
  }

  preview(query: PreviewQuery): Promise<PreviewReport> {
    return this.#call('preview', query);
  }

  keepRefusals(refusals: readonly RefusalRecord[], repeated: readonly RepeatedRefusal[] = []): Promise<void> {
    return this.#call('keepRefusals', refusals, repeated);
  }

  findRefusals(requestId: string, quotaId?: string): Promise<FoundRefusal[]> {
    return this.#call('findRefusals', requestId, quotaId);
  }

  recentRefusals(query: RecentRefusalsQuery): Promise<RefusalsPage> {
    return this.#call('recentRefusals', query);
  }

  forgetUnused(keyIds: readonly string[], now: number): Promise<string[]> {
    return this.#call('forgetUnused', keyIds, now);
  }

  deleteOwner(owner: string): Promise<Deleted> {
    return this.#call('deleteOwner', owner);
  }

  prune(now: number): Promise<number> {
    return this.#call('prune', now);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const worker = this.#worker;
    if (worker === null) return;
    worker.ref();
    const closed = this.#call<void>('close').catch(() => {});
    await waitAtMost(CLOSE_LIMIT_MS, closed);
    await worker.terminate();
  }

  #call<T>(method: Method, ...args: readonly unknown[]): Promise<T> {
    const worker = this.#worker;
    if (worker === null) return Promise.reject(new StoreUnavailable('the history thread is starting'));
    if (this.#calls.size >= (WRITES.has(method) ? MAX_CALLS : MAX_READS)) {
      return Promise.reject(new StoreUnavailable('too many requests to the history are in progress'));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const tooLate = () => this.#settle(id)?.reject(new StoreUnavailable('the history did not respond in time'));
      const limit = setTimeout(tooLate, SLOW.has(method) ? SLOW_CALL_LIMIT_MS : CALL_LIMIT_MS).unref();
      this.#calls.set(id, { resolve, reject, limit });
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

  /** Resolves once the worker accepts calls. */
  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(WORKER_FILE, { workerData: this.#settings, name: 'history' });
      // It must not keep a process alive that has nothing else to do.
      worker.unref();
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'opened') {
          if (this.#closing) void worker.terminate();
          this.#worker = worker;
          resolve();
        } else if (message.kind === 'waiting')
          this.#logger.warn({ reason: message.message }, 'waiting for a locked database');
        else if (message.kind === 'result') this.#settle(message.id)?.resolve(message.result as never);
        else if (message.id !== null) this.#settle(message.id)?.reject(receivedError(message.error));
        else reject(receivedError(message.error));
      });
      // Node passes them on to this process' own.
      for (const output of [worker.stdout, worker.stderr]) output.on('error', () => {});
      worker.on('error', (error) => this.#logger.error({ err: error }, 'the history thread failed'));
      worker.on('exit', () => {
        reject(new StoreUnavailable('the history thread has exited'));
        if (this.#worker === worker) void this.#restart();
      });
    });
  }

  async #restart(): Promise<void> {
    this.#worker = null;
    for (const id of this.#calls.keys()) {
      this.#settle(id)?.reject(new StoreUnavailable('the history thread has exited'));
    }
    while (!this.#closing && this.#worker === null) {
      await sleep(RESTART_MS, undefined, { ref: false });
      await this.#start().catch((error: unknown) => {
        this.#logger.error({ err: error }, 'the history thread cannot be started; retrying');
      });
    }
  }
}
