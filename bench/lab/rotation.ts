/**
 * Keys that requests use in turn, so that all keys are used equally often. A run continues where the previous run
 * ended.
 */
export class Rotation {
  /** A file with a line for each key. All lines have the same length. */
  readonly file: string;
  readonly count: number;
  #from = 0;

  constructor(file: string, count: number) {
    this.file = file;
    this.count = count;
  }

  /** Index of the line for the next request, from 0. */
  get from(): number {
    return this.#from;
  }

  advance(requests: number): void {
    this.#from = (this.#from + requests) % this.count;
  }
}
