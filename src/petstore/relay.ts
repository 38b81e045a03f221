import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './http/operation.ts';
import type { OutboxRow } from './store/outbox.ts';
import type { Store } from './store/index.ts';

/** An event to publish. */
export interface OutgoingEvent {
  type: string;
  /** JSON text. */
  data: string;
  /** The same for every attempt to publish the event, so that repeats are ignored. */
  id: string;
  subject: string;
  /** ms since the Unix epoch. */
  at: number;
}

/**
 * Publishes all of the events or none. Rejects with an error named `EventRefused` if an event can never be published; its
 * `index` is the index of this event. Rejects with any other error if a later attempt may succeed.
 */
export type PublishAll = (events: readonly OutgoingEvent[]) => Promise<unknown>;

interface RelayOptions {
  logger: Logger;
  gatherMs?: number;
  /** Pause after a failure. */
  pauseMs?: number;
}

/** Events per batch. Requests of this process wait a few milliseconds while a batch is stored. */
const BATCH_SIZE = 250;
/**
 * Events within this time are published together. A transaction for each event would cost more than the request itself.
 */
const GATHER_MS = 250;
const PAUSE_MS = 1000;
/** How long `close` waits for unpublished events. Remaining events are published after the next start. */
const CLOSE_WAIT_MS = 1000;

/**
 * Publishes the events in the outbox in order, and then removes them. If the process ends in between, events are
 * published again, so each event is published at least once. Holds one batch in memory.
 */
export class Relay {
  readonly #store: Pick<Store, 'outbox' | 'transaction'>;
  readonly #publishAll: PublishAll;
  readonly #logger: Logger;
  readonly #gatherMs: number;
  readonly #pauseMs: number;
  readonly #closed = new AbortController();
  #running: Promise<void> | null = null;
  /** The message of the last failure; null if the last attempt succeeded. */
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

  /** Starts publishing. Call this when there may be new events. */
  wake(): void {
    if (!this.#closed.signal.aborted) this.#running ??= this.#run();
  }

  /** Makes one last attempt to publish the waiting events. Afterward, the relay does not use the database. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#closed.abort();
    if (running === null) return;
    const waitController = new AbortController();
    const { signal } = waitController;
    await Promise.race([running, sleep(CLOSE_WAIT_MS, undefined, { signal, ref: false }).catch(() => {})]);
    waitController.abort();
  }

  /** Publishes until no more events are waiting. Once the relay is closed, the first failure ends this. */
  async #run(): Promise<void> {
    let isFull = false;
    for (;;) {
      await (isFull ? setImmediate() : this.#pause(this.#gatherMs));
      try {
        const rows = this.#store.outbox.first(BATCH_SIZE);
        if (rows.length === 0) break;
        isFull = rows.length === BATCH_SIZE;
        await this.#send(rows);
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        await this.#handleFailure(error);
      }
    }
    this.#running = null;
  }

  async #send(rows: readonly OutboxRow[]): Promise<void> {
    const { outbox, transaction } = this.#store;
    try {
      await this.#publishAll(rows.map(({ sequence: _, ...event }) => event));
    } catch (error) {
      const refusedEvent = findRefused(rows, error);
      if (refusedEvent === undefined) throw error;
      transaction(() => outbox.remove(refusedEvent.sequence));
      const { id, type, subject } = refusedEvent;
      this.#logger.error({ err: error, event: { id, type, subject } }, 'event rejected and lost');
      return;
    }
    transaction(() => outbox.removeUpTo(rows.at(-1)!.sequence));
    if (this.#failure !== null) this.#logger.info({}, 'events can be published again');
    this.#failure = null;
  }

  async #handleFailure(error: unknown): Promise<void> {
    const { message } = Object(error) as Error;
    if (message !== this.#failure) this.#logger.warn({ err: error }, 'events cannot be published; retrying');
    this.#failure = message;
    await this.#pause(this.#pauseMs);
  }

  /** Pauses until the time is up or the relay is closed. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closed.signal, ref: false }).catch(() => {});
  }
}

/** Finds the event that can never be published; undefined if all events may be published later. */
function findRefused(rows: readonly OutboxRow[], error: unknown): OutboxRow | undefined {
  const { name, index }: { name?: unknown; index?: unknown } = Object(error);
  return name === 'EventRefused' ? rows[Number(index)] : undefined;
}
