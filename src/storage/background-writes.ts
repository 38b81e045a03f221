import type { Logger } from 'pino';
import { StoreUnavailable } from '../base/error-types.ts';

/**
 * Runs small writes in the background. The readers that start them do not wait, so that reading works even if the
 * database accepts no changes. Only one write per id runs at a time.
 */
export class BackgroundWrites {
  readonly #logger: Logger;
  readonly #failure: string;
  readonly #running = new Set<string>();

  /** @param failure log message for a write that fails while the database is available */
  constructor(logger: Logger, failure: string) {
    this.#logger = logger;
    this.#failure = failure;
  }

  /** Starts a write. Does nothing if a write for this id is already running. */
  start(id: string, write: () => Promise<void>): void {
    if (this.#running.has(id)) return;
    this.#running.add(id);
    void this.#run(id, write);
  }

  async #run(id: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#logger.error({ err: error }, this.#failure);
    } finally {
      this.#running.delete(id);
    }
  }
}
