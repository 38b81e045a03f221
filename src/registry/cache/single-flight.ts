/** One look-up on its way. */
export interface Flight {
  /** Whether what it brings may be out of date: something changed after it set out. */
  readonly overtaken: boolean;
}

interface Running<T> {
  overtaken: boolean;
  answer: Promise<T>;
}

/** Look-ups on their way, one for each key, which those who ask meanwhile share. */
export class Flights<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Joins the look-up of this key, or starts one. */
  join(key: string, fly: (key: string, flight: Flight) => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running.answer;
    const flight = { overtaken: false } as Running<T>;
    this.#running.set(key, flight);
    flight.answer = fly(key, flight).finally(() => {
      if (!flight.overtaken) this.#running.delete(key);
    });
    return flight.answer;
  }

  /** Whoever asks from now on sets out anew. */
  overtake(key: string): void {
    const flight = this.#running.get(key);
    if (flight === undefined) return;
    flight.overtaken = true;
    this.#running.delete(key);
  }

  overtakeAll(): void {
    for (const key of this.#running.keys()) this.overtake(key);
  }
}
