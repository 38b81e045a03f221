import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { Page, PageRequest } from '../../storage/paging.ts';
import type { Database } from '../../storage/database.ts';
import type { Event, EventFilter, EventOrder, NewEvent } from './event.ts';
import { listEvents, publish } from './event-outbox.ts';

/** Events are written together, so that a busy moment costs one transaction. */
const WRITE_EVERY_MS = 500;
const MAX_BATCH = 500;
/** Maximum number of waiting events while the database is unavailable; more are dropped, and counted. */
const MAX_QUEUED = 10_000;

const NEWEST_FIRST: EventOrder = { by: 'written', descending: true };

/** The outbox: events, stored for their receivers. */
export class Events {
  readonly #database: Database;
  readonly #logger: Logger;
  #queued: NewEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  /** The cause of the current outage, so that it is logged only once; null while events can be written. */
  #failure: string | null = null;
  /** The cause of the latest rejection by the database, so that it is logged only once. */
  #rejection: string | null = null;
  #dropped = 0;
  #closed = false;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  list(filter: EventFilter, page: PageRequest, order: EventOrder = NEWEST_FIRST): Promise<Page<Event>> {
    return this.#database.read((queries) => listEvents(queries, filter, page, order));
  }

  /**
   * Writes events in a transaction of their own: all of them or none.
   *
   * @returns the ids of the new events
   */
  publish(events: readonly NewEvent[]): Promise<string[]> {
    return this.#database.transaction((tx, announce) => publish({ tx, announce }, events));
  }

  /**
   * Queues an event and returns immediately, so it can be used on the request path. The event is written within a
   * second, with retries until that succeeds.
   */
  readonly note = (event: NewEvent): void => {
    if (this.#closed || this.#queued.length === MAX_QUEUED) {
      this.#dropped += 1;
      return;
    }
    this.#queued.push(event);
    this.#schedule();
  };

  /** Number of noted events that are not written yet. */
  get queued(): number {
    return this.#queued.length;
  }

  /**
   * Number of events that were lost, because too many were waiting for an unavailable database, or because the database
   * rejected them.
   */
  get dropped(): number {
    return this.#dropped;
  }

  /** Writes all waiting events, if the database is available now. Later events are dropped. */
  async close(): Promise<void> {
    await this.#writing;
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#writeQueued();
    if (this.#queued.length > 0)
      this.#logger.warn({ events: this.#queued.length }, 'events could not be written and are lost');
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing ??= this.#writeQueued().finally(() => {
        this.#writing = null;
        if (this.#queued.length > 0) this.#schedule();
      });
    }, WRITE_EVERY_MS).unref();
  }

  /** Writes until no events are waiting, or the database is unavailable. */
  async #writeQueued(): Promise<void> {
    let size = MAX_BATCH;
    while (this.#queued.length > 0) {
      const batch = this.#queued.slice(0, size);
      try {
        await this.publish(batch);
      } catch (error) {
        if (error instanceof StoreUnavailable) return this.#logFailure(error);
        // The database would reject the same event every time. Smaller batches isolate that event, so that the others
        // can be written.
        if (batch.length === 1) this.#drop(error);
        size = Math.ceil(batch.length / 2);
        continue;
      }
      this.#queued = this.#queued.slice(batch.length);
      size = MAX_BATCH;
      if (this.#failure !== null) this.#logger.info('events can be written again');
      this.#failure = null;
    }
  }

  /** Drops the first waiting event. Logs the cause, unless it is the same as the last time. */
  #drop(error: unknown): void {
    const [droppedEvent] = this.#queued;
    this.#queued = this.#queued.slice(1);
    this.#dropped += 1;
    const { message } = error as Error;
    if (message === this.#rejection) return;
    this.#rejection = message;
    this.#logger.error({ err: error, type: droppedEvent?.type }, 'event rejected by the database and lost');
  }

  /** Logs the cause, unless it is the same as the last time. */
  #logFailure(error: StoreUnavailable): void {
    const { message } = error;
    if (message === this.#failure) return;
    this.#failure = message;
    this.#logger.error({ err: error }, 'events cannot be written; retrying');
  }
}
