interface FairSemaphoreOptions {
  /** Maximum number of tasks that run concurrently. */
  readonly concurrency: number;
  /** Maximum number of tasks that wait: of all parties together, and of each party. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Overloaded) => void;
}

/** Too many tasks are waiting already. The work was not started. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Limits concurrency. Tasks above the limit wait in one queue (FIFO) per party. The queues take turns, so a long queue
 * does not make the other parties wait longer.
 */
export class FairSemaphore {
  readonly #maxWaiting: number;
  readonly #maxWaitingPerParty: number;
  #free: number;
  #waiting = 0;
  /** Queues by party, without empty queues. The first queue is served next. */
  readonly #queues = new Map<string, Waiter[]>();

  constructor({ concurrency, maxWaiting, maxWaitingPerParty }: FairSemaphoreOptions) {
    this.#free = concurrency;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitingPerParty = maxWaitingPerParty;
  }

  /**
   * @throws Overloaded (as a rejection) if there is no room to wait, or later if a party with fewer waiting tasks needs
   * the place
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
   * Drops the last waiter of the longest queue to make room in a queue of this length. Otherwise, a few parties could
   * take all places.
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
