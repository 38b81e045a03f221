/** Limits the requests that are at work at a target at once; the rest wait for their turn (FIFO), up to a bound. */
export class ConnectionLimit {
  readonly #maxConnections: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #starting = false;

  constructor(maxConnections: number, maxWaiting: number) {
    this.#maxConnections = maxConnections;
    this.#maxWaiting = maxWaiting;
  }

  /** @returns whether one was free: it is given back with `release` */
  take(): boolean {
    if (this.#taken >= this.#maxConnections) return false;
    this.#taken++;
    return true;
  }

  /**
   * Waits for one.
   *
   * @param start has it, and gives it back with `release`
   * @param expired none came in time
   * @returns gives up waiting; null where too many wait already
   */
  wait(start: () => void, expired: () => void, timeoutMs: number): (() => void) | null {
    if (this.#waiting.size >= this.#maxWaiting) return null;
    const timer = setTimeout(() => {
      this.#waiting.delete(turn);
      expired();
    }, timeoutMs);
    const turn = () => {
      clearTimeout(timer);
      start();
    };
    this.#waiting.add(turn);
    return () => {
      clearTimeout(timer);
      this.#waiting.delete(turn);
    };
  }

  release(): void {
    this.#taken--;
    // One that fails as it starts releases again: a loop, or a queue of such would exhaust the stack.
    if (this.#starting) return;
    this.#starting = true;
    for (const turn of this.#waiting) {
      if (!this.take()) break;
      this.#waiting.delete(turn);
      turn();
    }
    this.#starting = false;
  }
}
