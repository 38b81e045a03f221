interface FairSemaphoreOptions {
  /** Maximum number of tasks that run concurrently. */
  readonly concurrency: number;
  /** Maximum numbers of waiting tasks: of all parties together, and of each party. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Overloaded) => void;
}

/** Too many tasks are already waiting, so this one was not started. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Limits concurrency fairly. Tasks above the limit wait in one FIFO queue per party. The queues take turns, so that a
 * long queue does not make other parties wait longer.
 */
export class FairSemaphore {
  readonly #maxWaiting: number;
  readonly #maxWaitingPerParty: number;
  #free: number;
  #waiting = 0;
  /** The non-empty queues by party. The first one is served next. */
  readonly #queues = new Map<string, Waiter[]>();

  constructor({ concurrency, maxWaiting, maxWaitingPerParty }: FairSemaphoreOptions) {
    this.#free = concurrency;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitingPerParty = maxWaitingPerParty;
  }

  /**
   * Runs work, after waiting if necessary. @throws Overloaded (as a rejection) if too many tasks are waiting, or later
   * if a party with fewer waiting tasks takes the place of this one
   */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#queue(party);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #queue(party: string): Promise<void> {
    const queue = this.#queues.get(party) ?? [];
    const full = queue.length >= this.#maxWaitingPerParty;
    if (full || (this.#waiting >= this.#maxWaiting && !this.#displace(queue.length))) {
      return Promise.reject(new Overloaded('too many lookups are queued'));
    }
    this.#waiting++;
    this.#queues.set(party, queue);
    return new Promise((enter, refuse) => queue.push({ enter, refuse }));
  }

  /**
   * Drops the last task of the longest queue to make room in a queue of this length, so that a few parties cannot take
   * all places. @returns false if no queue is longer by two or more
   */
  #displace(length: number): boolean {
    let longest: Waiter[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= length + 1) return false;
    longest.pop()?.refuse(new Overloaded('displaced by an address with fewer queued lookups'));
    this.#waiting--;
    return true;
  }

  #release(): void {
    for (const [party, queue] of this.#queues) {
      this.#queues.delete(party);
      const next = queue.shift();
      if (queue.length > 0) this.#queues.set(party, queue);
      this.#waiting--;
      return next?.enter();
    }
    this.#free++;
  }
}
