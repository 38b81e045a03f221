import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type { Database } from '../../../storage/database.ts';
import { recordOutcomes, type Result, type ResultSettings } from './record-outcomes.ts';

/** Written together, so that a busy moment costs one transaction. */
const MAX_BATCH = 50;
const PAUSE_MS = 500;

interface Waiting extends Result {
  readonly written: () => void;
}

/** Writes what came of attempts. Whoever waits for that bounds how many wait. */
export class OutcomeWriter {
  readonly #database: Database;
  readonly #settings: ResultSettings;
  readonly #logger: Logger;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #isClosed = false;

  constructor(database: Database, settings: ResultSettings, logger: Logger) {
    this.#database = database;
    this.#settings = settings;
    this.#logger = logger;
  }

  /** Resolves when it is written; while the database is away, that is tried again and again until `close`. */
  write(result: Result): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ ...result, written });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** What is not written by now is lost: another gateway delivers it again. */
  close(): void {
    this.#isClosed = true;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // What ends in the same moment is written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      await this.#writeBatch(batch);
      for (const { written } of batch) written();
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Result[]): Promise<void> {
    for (;;) {
      try {
        return await recordOutcomes(this.#database, this.#settings, batch);
      } catch (error) {
        if (this.#isClosed) return;
        if (!(error instanceof StoreUnavailable)) return this.#writeEach(batch, error);
      }
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  /** One that cannot be written must not take the others along. */
  async #writeEach(batch: readonly Result[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1) {
      const delivery = only?.claimed.id;
      this.#logger.error({ err: error, delivery }, 'what came of a delivery cannot be written: it is sent again');
      return;
    }
    for (const result of batch) await this.#writeBatch([result]);
  }
}
