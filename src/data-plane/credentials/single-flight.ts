/** One lookup in progress. */
export interface Flight {
  /** Whether the key has changed since the lookup started, so that the result may be out of date. */
  readonly superseded: boolean;
}

interface Running<T> {
  superseded: boolean;
  answer: Promise<T>;
}

/**
 * Lookups in progress, one per key. Concurrent callers share the lookup of their key. The `fetch` of lru-cache has two
 * disadvantages here: a lookup in progress takes the place of a cached entry, so that junk could evict a customer's key,
 * and invalidating a key rejects the calls that wait for it.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Joins the lookup of this key, or starts one. */
  join(key: string, lookUp: (key: string, flight: Flight) => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running.answer;
    const flight = { superseded: false } as Running<T>;
    this.#running.set(key, flight);
    flight.answer = lookUp(key, flight).finally(() => {
      if (!flight.superseded) this.#running.delete(key);
    });
    return flight.answer;
  }

  /** Makes later callers start a new lookup. Callers that already wait get the result of the old one. */
  supersede(key: string): void {
    const flight = this.#running.get(key);
    if (flight === undefined) return;
    flight.superseded = true;
    this.#running.delete(key);
  }

  supersedeAll(): void {
    for (const key of this.#running.keys()) this.supersede(key);
  }
}
