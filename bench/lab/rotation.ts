/** Keys that requests use in turn, each as rarely as all the others: a turn goes on where the one before it ended. */
export class Rotation {
  /** A line for each key, all of one length. */
  readonly file: string;
  readonly count: number;
  #from = 0;

  constructor(file: string, count: number) {
    this.file = file;
    this.count = count;
  }

  /** The line that the next request uses, from 0. */
  get from(): number {
    return this.#from;
  }

  used(requests: number): void {
    this.#from = (this.#from + requests) % this.count;
  }
}
