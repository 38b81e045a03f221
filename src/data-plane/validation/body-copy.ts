import type { BodyBudget } from './body-budget.ts';

/** Why a body could not be kept. */
export type CopyFault = 'too_long' | 'overloaded';

const EMPTY = Buffer.alloc(0);

/** A body that is kept for a check, within a limit of its own and the budget of the process. */
export class BodyCopy {
  readonly #maxBytes: number;
  readonly #budget: BodyBudget;
  readonly #expectedBytes: number;
  #bytes: Buffer = EMPTY;
  #length = 0;
  /** Bytes taken from the budget. */
  #taken = 0;
  #fault: CopyFault | null = null;
  #isReleased = false;

  /** @param expectedBytes the length of the body, which it does not exceed; `Infinity` if it is unknown */
  constructor(maxBytes: number, budget: BodyBudget, expectedBytes = Infinity) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
    this.#expectedBytes = expectedBytes;
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

  /** Like `add`, but takes a first chunk over instead of copying it. The caller must not use the chunk any more. */
  takeOver(chunk: Buffer): void {
    // A chunk that is a part of a larger buffer would keep all of that buffer in memory.
    const isWhole = chunk.length === chunk.buffer.byteLength;
    if (!isWhole || this.#length > 0 || this.#fault !== null || this.#isReleased) return this.add(chunk);
    if (chunk.length > this.#maxBytes) return this.#fail('too_long');
    if (!this.#take(chunk.length)) return this.#fail('overloaded');
    this.#bytes = chunk;
    this.#length = chunk.length;
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
    const doubled = this.#length === 0 ? length : Math.max(length, 2 * this.#bytes.length);
    const capacity = Math.min(this.#maxBytes, Math.max(length, Math.min(doubled, this.#expectedBytes)));
    if (!this.#take(capacity)) return false;
    // Node's pool is not used, because a short body would keep all of a larger buffer in memory.
    const bytes = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
    return true;
  }

  /** @returns false if the budget has no room for this capacity */
  #take(capacity: number): boolean {
    if (!this.#budget.take(capacity - this.#taken)) return false;
    this.#taken = capacity;
    return true;
  }

  #fail(fault: CopyFault): void {
    this.release();
    this.#fault = fault;
  }
}
