import type { Decision } from './decide.ts';
import type { AdmissionRequest } from './store.ts';

/** A request that waits to be decided. */
export interface Waiting {
  readonly request: AdmissionRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that one call of the script decides, in the order in which they came. */
export interface Batch {
  /** When the first of them came, by `performance.now()`. */
  readonly since: number;
  readonly waiting: Waiting[];
}

/** While a script runs, Redis does nothing else: so many take about a millisecond. */
const MOST = 64;

/**
 * Collects the requests of one turn of the event loop. Sent together they cost both sides a fraction of what they would
 * alone; and none waits longer, since all that has arrived is read before anything else is done.
 */
export class Batches {
  readonly #send: (batch: Batch) => void;
  /** By what can go together. */
  readonly #open = new Map<string, Batch>();
  #scheduled = false;

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  /** @param group requests of different groups are not sent together */
  add(group: string, waiting: Waiting): void {
    const batch = this.#open.get(group);
    if (batch === undefined) {
      this.#open.set(group, { since: performance.now(), waiting: [waiting] });
      this.#schedule();
    } else if (batch.waiting.push(waiting) === MOST) {
      this.#open.delete(group);
      this.#send(batch);
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Runs when all sockets that have something to read were read.
    setImmediate(() => {
      this.#scheduled = false;
      const batches = [...this.#open.values()];
      this.#open.clear();
      for (const batch of batches) this.#send(batch);
    });
  }
}
