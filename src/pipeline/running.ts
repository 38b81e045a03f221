/** Counts the requests at work, so that it can be told when the last of them is over. */
export class Running {
  #count = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  begun(): void {
    this.#count++;
  }

  ended(): void {
    this.#count--;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }

  /** Resolves once none is at work: at once, if none is. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }
}
