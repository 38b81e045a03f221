import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { waitAtMost } from './base/awaitable.ts';
import type { Config } from './config/load.ts';

/** The order in which a stop closes what the start has opened, whatever the order in which it was opened. */
const ORDER = [
  // Nothing begins any more: no attempt to write the plans, no request.
  ['first start'],
  ['portal server', 'public server'],
  // What was counted, before all that others may delay.
  ['counts'],
  // At once, since each may take a second to send or finish something. The schedule reads the history.
  ['schedule', 'traces', 'webhooks'],
  // After everything that serves: what it still has to write.
  ['automatic bans'],
  ['credential cache'],
  ['history'],
  // They are others' code: whatever they do on closing must not cost what is above.
  ['upstreams'],
  // Others tell some until here.
  ['events'],
  // After everything that serves and everything that writes: probes and metrics are answered to the end.
  ['admin server'],
  ['certificates'],
  ['system'],
  ['counters'],
  ['database'],
] as const;

export type Stage = (typeof ORDER)[number][number];

/** @param remainingMs of the drain's deadline: how long work that runs may still take; 0 after it */
type Close = (remainingMs: number) => void | Promise<void>;

/** A server that finishes what runs until the deadline, and then cuts it off. */
interface Drained {
  drain(deadlineMs: number): Promise<void>;
}

/** Stops the gateway: drains it if it serves, and closes everything that was opened, in one order. */
export class Shutdown {
  readonly #opened: { readonly stage: Stage; readonly close: Close }[] = [];
  #drained: Promise<void> | null = null;

  /** Call it for everything opened, at once: a start that fails later closes it. */
  add(stage: Stage, close: Close): void {
    this.#opened.push({ stage, close });
  }

  get isDraining(): boolean {
    return this.#drained !== null;
  }

  /**
   * Stops a gateway that serves. It is not ready from now on, but open while `lameDuck` passes; then the servers finish
   * what runs, until the deadline; then all is closed. Further calls return the same drain. Rejects like `run`.
   *
   * @param servers all at once: one after the other, slow clients of one would take the time of what comes after it
   */
  drain(servers: readonly Drained[], settings: Config['drain']): Promise<void> {
    return (this.#drained ??= this.#drain(servers, settings));
  }

  async #drain(servers: readonly Drained[], { lameDuck, deadline }: Config['drain']): Promise<void> {
    await sleep(lameDuck);
    const endsAt = performance.now() + deadline;
    await Promise.all(servers.map((server) => server.drain(deadline)));
    await this.run(endsAt);
  }

  /**
   * Closes all of it, even where something fails; of a stage, the last opened first. Rejects with what failed.
   *
   * @param endsAt the drain's deadline, by `performance.now()`; there is none unless it served
   */
  async run(endsAt = 0): Promise<void> {
    const closing = new AsyncDisposableStack();
    const close = async (stage: Stage) => {
      const one = new AsyncDisposableStack();
      for (const opened of this.#opened.filter((each) => each.stage === stage)) {
        one.defer(() => opened.close(Math.max(0, endsAt - performance.now())));
      }
      await one.disposeAsync();
    };
    // A stack closes last what it got first.
    for (const stages of ORDER.toReversed()) closing.defer(() => allOf(stages.map(close)));
    await closing.disposeAsync();
  }

  /**
   * For a start that has failed. Limits the wait and logs what fails: upstreams are others' code, and one that never
   * closes must not hide why the start failed.
   */
  async runWithin(limitMs: number, logger: Logger): Promise<void> {
    try {
      await waitAtMost(limitMs, this.run());
    } catch (error) {
      logger.error({ err: error }, 'some resources could not be closed');
    }
  }
}

/** Waits for all, even where one fails; rejects with the first failure. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
