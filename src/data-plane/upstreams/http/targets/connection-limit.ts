/** Limits the concurrent requests to a target; the rest queue (FIFO), up to `maxWaiting`. */
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

  /** @returns whether a connection was free; give it back with `release` */
  take(): boolean {
    if (this.#taken >= this.#maxConnections) return false;
    this.#taken++;
    return true;
  }

  /**
   * Waits for a free connection.
   *
   * @param start called with the connection taken; give it back with `release`
   * @param expired called if none became free within `timeoutMs`
   * @returns a function that stops waiting; null if too many wait already
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
    // A request that fails as it starts calls `release` again. Recursion over a queue of those would exhaust the stack.
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
