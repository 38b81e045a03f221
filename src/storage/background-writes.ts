import type { Logger } from 'pino';
import { StoreUnavailable } from '../base/error-types.ts';

/**
 * Small writes that nothing waits for, because reading must work even if the database accepts no changes. For each id,
 * only one write runs at a time.
 */
export class BackgroundWrites {
  readonly #logger: Logger;
  readonly #failure: string;
  readonly #running = new Set<string>();

  /** @param failure what to log if a write fails while the database is available */
  constructor(logger: Logger, failure: string) {
    this.#logger = logger;
    this.#failure = failure;
  }

  /** Does nothing if a write for this id is running. */
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
