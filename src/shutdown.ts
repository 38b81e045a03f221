import { waitAtMost } from './base/awaitable.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** @param remainingMs of the drain's deadline: how long running work may still take; 0 after it */
type Close = (remainingMs: number) => void | Promise<void>;

/** A server that finishes what runs until the deadline, and then cuts it off. */
interface Drained {
  drain(deadlineMs: number): Promise<void>;
}

/** Stops the gateway: drains it if it serves, and closes everything that was added, the last first. */
export class Shutdown {
  readonly #opened = new AsyncDisposableStack();
  readonly #logger: Logger;
  /** The drain's deadline, by `performance.now()`; 0 unless it served. */
  #endsAt = 0;
  #drained: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Call it when something was opened: if the start fails later, it is closed. What is added later is closed earlier.
   *
   * @param part names it in the log
   */
  add(part: string, close: Close): void {
    this.#opened.defer(async () => {
      this.#logger.debug({ part }, 'closing');
      await close(Math.max(0, this.#endsAt - performance.now()));
    });
  }

  get isDraining(): boolean {
    return this.#drained !== null;
  }

  /**
   * Stops a gateway that serves. It is not ready from now on, but stays open for `lameDuck`; then the servers finish
   * running requests, until the deadline; then everything is closed. Further calls return the same drain. Rejects like
   * `run`.
   *
   * @param servers drained concurrently: otherwise, slow clients of one would use up the time of the next
   * @param settings in ms
   */
  drain(
    servers: readonly Drained[],
    settings: { readonly lameDuck: number; readonly deadline: number },
  ): Promise<void> {
    const drain = async () => {
      await sleep(settings.lameDuck);
      this.#endsAt = performance.now() + settings.deadline;
      await Promise.all(servers.map((server) => server.drain(settings.deadline)));
      await this.run();
    };
    return (this.#drained ??= drain());
  }

  /** Closes everything, even if something fails. Rejects with the failures. */
  run(): Promise<void> {
    return this.#opened.disposeAsync();
  }

  /**
   * For a start that has failed. Limits the wait and logs failures: upstreams are code of others, and one that never
   * closes must not hide why the start failed.
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
 * Closes several things concurrently, since each may take a second. Waits for all, even if one fails; rejects with the
 * first failure.
 */
export async function closeTogether(closings: readonly (() => void | Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(closings.map(async (close) => close()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
