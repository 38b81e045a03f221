import { waitAtMost } from './base/awaitable.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** @param remainingMs time until the deadline of the drain; 0 after the deadline */
type Close = (remainingMs: number) => void | Promise<void>;

/** A server that finishes requests in progress until the deadline, and then aborts the rest. */
interface DrainableServer {
  drain(deadlineMs: number): Promise<void>;
}

/** Stops the gateway: drains its servers, and closes everything that was added, in reverse order. */
export class Shutdown {
  readonly #opened = new AsyncDisposableStack();
  readonly #logger: Logger;
  /** The deadline of the drain on the clock of `performance.now()`; 0 before the servers drain. */
  #drainDeadline = 0;
  #drainPromise: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Registers how to close a part that was opened, so that it is closed even if the start fails later. Parts are closed
   * in reverse order.
   *
   * @param part its name in the log
   */
  add(part: string, close: Close): void {
    this.#opened.defer(async () => {
      this.#logger.debug({ part }, 'closing');
      await close(Math.max(0, this.#drainDeadline - performance.now()));
    });
  }

  get isDraining(): boolean {
    return this.#drainPromise !== null;
  }

  /**
   * Stops a serving gateway. For the time `lameDuck`, it reports that it is not ready, but still accepts requests. Then
   * the servers finish requests in progress, until the deadline. At the end, everything is closed. Further calls return
   * the same promise. Rejects like `run`.
   *
   * @param servers drained concurrently, so that slow clients of one server do not use up the time of the next
   * @param config in ms
   */
  drain(
    servers: readonly DrainableServer[],
    config: { readonly lameDuck: number; readonly deadline: number },
  ): Promise<void> {
    const drain = async () => {
      await sleep(config.lameDuck);
      this.#drainDeadline = performance.now() + config.deadline;
      await Promise.all(servers.map((server) => server.drain(config.deadline)));
      await this.run();
    };
    return (this.#drainPromise ??= drain());
  }

  /** Closes everything, even if some parts fail. Rejects with the failures. */
  run(): Promise<void> {
    return this.#opened.disposeAsync();
  }

  /**
   * Closes everything after a failed start. A service in this process is third-party code, and if it never closes, that
   * must not hide why the start failed. So the wait is limited, and failures are only logged.
   */
  async runWithin(limitMs: number): Promise<void> {
    try {
      await waitAtMost(limitMs, this.run());
    } catch (error) {
      this.#logger.error({ err: error }, 'some resources could not be closed');
    }
  }
}

/**
 * Closes several parts concurrently, because each may take a second. Waits for all of them even if one fails, and
 * rejects with the first failure.
 */
export async function closeTogether(closeFunctions: readonly (() => void | Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(closeFunctions.map(async (close) => close()));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
