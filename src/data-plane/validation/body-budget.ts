/** Limits the memory of all bodies that are kept for a check, in bytes. */
export class BodyBudget {
  #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  adjust(maxBytes: number): void {
    this.#maxBytes = maxBytes;
  }

  /** @returns false if there is no room */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
