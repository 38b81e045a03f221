/** One lookup in progress. */
export interface Flight {
  /** Whether the key has changed since the lookup started, so that the result may be out of date. */
  readonly isSuperseded: boolean;
}

interface RunningFlight<T> {
  isSuperseded: boolean;
  result: Promise<T>;
}

/**
 * Lookups in progress, one per key. Concurrent callers share the lookup of their key. The `fetch` of lru-cache has two
 * disadvantages here: a lookup in progress takes the place of a cached entry, so that junk could evict a customer's key,
 * and invalidating a key rejects the calls that wait for it.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, RunningFlight<T>>();

  /** Joins the lookup of this key, or starts one. */
  join(key: string, lookUp: (key: string, flight: Flight) => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running !== undefined) return running.result;
    const flight = { isSuperseded: false } as RunningFlight<T>;
    this.#flights.set(key, flight);
    flight.result = lookUp(key, flight).finally(() => {
      if (!flight.isSuperseded) this.#flights.delete(key);
    });
    return flight.result;
  }

  /** Makes later callers start a new lookup. Callers that already wait get the result of the old one. */
  supersede(key: string): void {
    const flight = this.#flights.get(key);
    if (flight === undefined) return;
    flight.isSuperseded = true;
    this.#flights.delete(key);
  }

  supersedeAll(): void {
    for (const key of this.#flights.keys()) this.supersede(key);
  }
}
