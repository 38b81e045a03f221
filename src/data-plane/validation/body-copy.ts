import type { BodyBudget } from './body-budget.ts';

/** Why a body could not be kept. */
export type CopyFault = 'too_long' | 'overloaded';

const EMPTY = Buffer.alloc(0);

/** A body that is kept for a check, within a limit of its own and the budget of the process. */
export class BodyCopy {
  readonly #maxBytes: number;
  readonly #budget: BodyBudget;
  #bytes: Buffer = EMPTY;
  #length = 0;
  /** Bytes taken from the budget. */
  #taken = 0;
  #fault: CopyFault | null = null;
  #isReleased = false;

  constructor(maxBytes: number, budget: BodyBudget) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
  }

  get length(): number {
    return this.#length;
  }

  /** Null as long as all chunks could be added. */
  get fault(): CopyFault | null {
    return this.#fault;
  }

  /** The body so far. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Copies a chunk. If that is not possible, drops the copy. */
  add(chunk: Buffer): void {
    if (this.#fault !== null || this.#isReleased) return;
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) return this.#fail('too_long');
    if (length > this.#bytes.length && !this.#grow(length)) return this.#fail('overloaded');
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Gives the memory back to the budget. Later chunks are ignored. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#bytes = EMPTY;
    this.#length = 0;
    this.#budget.give(this.#taken);
    this.#taken = 0;
  }

  /**
   * The capacity is doubled, so that a body of many chunks is copied only a few times, and so that a client reserves at
   * most twice as much as it has sent.
   */
  #grow(length: number): boolean {
    const capacity = this.#length === 0 ? length : Math.min(this.#maxBytes, Math.max(length, 2 * this.#bytes.length));
    if (!this.#budget.take(capacity - this.#taken)) return false;
    this.#taken = capacity;
    const bytes = Buffer.allocUnsafe(capacity);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
    return true;
  }

  #fail(fault: CopyFault): void {
    this.release();
    this.#fault = fault;
  }
}
