/** What was opened, to be closed in the reverse order. */
export class Opened {
  readonly #closers: (() => Promise<void>)[] = [];

  push(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, once. What fails keeps nothing else from being closed.
   *
   * @throws AggregateError of what failed
   */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not all could be closed');
  }
}
