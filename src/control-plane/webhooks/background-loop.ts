import { StoreUnavailable } from '../../base/error-types.ts';
import type { Logger } from 'pino';

interface BackgroundLoopOptions {
  /** Name of the task for the log, such as `routing events`. */
  readonly taskName: string;
  /** The work runs at this interval even if the loop is not woken. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Background work: runs when woken and periodically, and never twice in parallel. */
export class BackgroundLoop {
  readonly #work: () => Promise<boolean>;
  readonly #options: BackgroundLoopOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = false;
  #failure: string | null = null;

  /** @param work returns whether there may be more to do */
  constructor(work: () => Promise<boolean>, options: BackgroundLoopOptions) {
    this.#work = work;
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), options.everyMs).unref();
    this.wake();
  }

  readonly wake = (): void => {
    if (this.#isStopped) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  };

  /**
   * The message of the latest failure; null if the work succeeds. An unavailable database does not count as a failure,
   * because it is reported elsewhere.
   */
  get failure(): string | null {
    return this.#failure;
  }

  /** Resolves after the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false;
        if (await this.#work()) this.#isWoken = true;
        // SQLite works synchronously, so without this pause, nothing else would run while there is more to do.
        await new Promise(setImmediate);
      }
      this.#failure = null;
    } catch (error) {
      // The work is tried again at the next interval.
      this.#recordFailure(error);
    }
  }

  #recordFailure(error: unknown): void {
    if (error instanceof StoreUnavailable) return;
    const { message } = error as Error;
    if (message !== this.#failure)
      this.#options.logger.error({ err: error, task: this.#options.taskName }, 'webhook task failed; retrying');
    this.#failure = message;
  }
}
