export interface FairSemaphoreSettings {
  /** How many run at once. */
  readonly concurrency: number;
  /** How many wait, of all parties together and of each. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Overloaded) => void;
}

/** Too many wait already. Nothing was done. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Limits concurrency. The rest queue, each party in a line of its own (FIFO), and the lines take turns: however long one
 * of them is, the others wait no longer for it.
 */
export class FairSemaphore {
  readonly #maxWaiting: number;
  readonly #maxWaitingPerParty: number;
  #free: number;
  #waiting = 0;
  /** None is empty. The first is the next to have its turn. */
  readonly #lines = new Map<string, Waiter[]>();

  constructor({ concurrency, maxWaiting, maxWaitingPerParty }: FairSemaphoreSettings) {
    this.#free = concurrency;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitingPerParty = maxWaitingPerParty;
  }

  /** @throws Overloaded (as a rejection) if there is no room to wait, also later, where another party needs it more */
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
    const line = this.#lines.get(party) ?? [];
    const full = line.length >= this.#maxWaitingPerParty;
    if (full || (this.#waiting >= this.#maxWaiting && !this.#displace(line.length))) {
      return Promise.reject(new Overloaded('too many look-ups are waiting'));
    }
    this.#waiting++;
    this.#lines.set(party, line);
    return new Promise((enter, refuse) => line.push({ enter, refuse }));
  }

  /** Takes the last place of the longest line for a line of this length, so that a few parties cannot fill all places. */
  #displace(length: number): boolean {
    let longest: Waiter[] = [];
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= length + 1) return false;
    longest.pop()?.refuse(new Overloaded('a party with fewer look-ups came'));
    this.#waiting--;
    return true;
  }

  #release(): void {
    for (const [party, line] of this.#lines) {
      this.#lines.delete(party);
      const next = line.shift();
      if (line.length > 0) this.#lines.set(party, line);
      this.#waiting--;
      return next?.enter();
    }
    this.#free++;
  }
}
