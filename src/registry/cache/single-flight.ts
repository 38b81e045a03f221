/** One look-up on its way. */
export interface Flight {
  /** Whether what it brings may be out of date: something changed after it set out. */
  readonly superseded: boolean;
}

interface Running<T> {
  superseded: boolean;
  answer: Promise<T>;
}

/** Look-ups on their way, one for each key, which those who ask meanwhile share. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Joins the look-up of this key, or starts one. */
  join(key: string, fly: (key: string, flight: Flight) => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running.answer;
    const flight = { superseded: false } as Running<T>;
    this.#running.set(key, flight);
    flight.answer = fly(key, flight).finally(() => {
      if (!flight.superseded) this.#running.delete(key);
    });
    return flight.answer;
  }

  /** Whoever asks from now on sets out anew. */
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
