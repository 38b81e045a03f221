import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './http/operation.ts';
import type { OutboxRow } from './store/outbox.ts';
import type { Store } from './store/index.ts';

/** An event to publish. */
export interface OutgoingEvent {
  type: string;
  /** JSON text. */
  data: string;
  /** The same however often it is published: repeats are ignored. */
  id: string;
  subject: string;
  /** ms since the Unix epoch. */
  at: number;
}

/**
 * Publishes all of the events or none. Rejects with an error named `EventRefused` if one of them can never be published
 * (its `index` says which); with any other error if it may work later.
 */
export type PublishAll = (events: readonly OutgoingEvent[]) => Promise<unknown>;

interface RelayOptions {
  logger: Logger;
  gatherMs?: number;
  /** After a failure. */
  pauseMs?: number;
}

/** Storing a batch delays the requests of this process by a few milliseconds. */
const BATCH = 250;
/** Events within this time are published together: a transaction for each event costs more than its request. */
const GATHER_MS = 250;
const PAUSE_MS = 1000;
/** How long closing waits for unpublished events: the rest is published after the next start. */
const CLOSE_WAIT_MS = 1000;

/**
 * Publishes the events in the outbox, in order, and removes published ones: at least once, however often the process
 * ends between the two. Holds one batch in memory.
 */
export class Relay {
  readonly #store: Pick<Store, 'outbox' | 'transaction'>;
  readonly #publishAll: PublishAll;
  readonly #logger: Logger;
  readonly #gatherMs: number;
  readonly #pauseMs: number;
  readonly #closed = new AbortController();
  #running: Promise<void> | null = null;
  /** The message of the last failure; null while it works. */
  #failure: string | null = null;

  constructor(
    store: Pick<Store, 'outbox' | 'transaction'>,
    publishAll: PublishAll,
    { logger, gatherMs = GATHER_MS, pauseMs = PAUSE_MS }: RelayOptions,
  ) {
    this.#store = store;
    this.#publishAll = publishAll;
    this.#logger = logger;
    this.#gatherMs = gatherMs;
    this.#pauseMs = pauseMs;
  }

  /** There may be something to publish. */
  wake(): void {
    if (!this.#closed.signal.aborted) this.#running ??= this.#run();
  }

  /** Publishes waiting events once. Does not touch the database after that. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#closed.abort();
    if (running === null) return;
    const waited = new AbortController();
    const { signal } = waited;
    await Promise.race([running, sleep(CLOSE_WAIT_MS, undefined, { signal, ref: false }).catch(() => {})]);
    waited.abort();
  }

  /** Until nothing waits. Once it is closed, the first failure is the last. */
  async #run(): Promise<void> {
    let isFull = false;
    for (;;) {
      await (isFull ? setImmediate() : this.#pause(this.#gatherMs));
      try {
        const rows = this.#store.outbox.first(BATCH);
        if (rows.length === 0) break;
        isFull = rows.length === BATCH;
        await this.#send(rows);
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        await this.#failed(error);
      }
    }
    this.#running = null;
  }

  async #send(rows: readonly OutboxRow[]): Promise<void> {
    const { outbox, transaction } = this.#store;
    try {
      await this.#publishAll(rows.map(({ sequence: _, ...event }) => event));
    } catch (error) {
      const refused = findRefused(rows, error);
      if (refused === undefined) throw error;
      transaction(() => outbox.remove(refused.sequence));
      const { id, type, subject } = refused;
      this.#logger.error({ err: error, event: { id, type, subject } }, 'event rejected and lost');
      return;
    }
    transaction(() => outbox.removeUpTo(rows.at(-1)!.sequence));
    if (this.#failure !== null) this.#logger.info({}, 'events can be published again');
    this.#failure = null;
  }

  async #failed(error: unknown): Promise<void> {
    const { message } = Object(error) as Error;
    if (message !== this.#failure) this.#logger.warn({ err: error }, 'events cannot be published; retrying');
    this.#failure = message;
    await this.#pause(this.#pauseMs);
  }

  /** A close ends it. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closed.signal, ref: false }).catch(() => {});
  }
}

/** The event that can never be published; undefined if all of them may be published later. */
function findRefused(rows: readonly OutboxRow[], error: unknown): OutboxRow | undefined {
  const { name, index }: { name?: unknown; index?: unknown } = Object(error);
  return name === 'EventRefused' ? rows[Number(index)] : undefined;
}
