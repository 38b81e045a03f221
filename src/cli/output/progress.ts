import type { Io } from '../io.ts';

const WIDTH = 30;

/** A bar on the terminal; nothing where nobody watches. */
export class Progress {
  readonly #io: Io;
  readonly #total: number;
  readonly #what: string;

  constructor(io: Io, total: number, what: string) {
    this.#io = io;
    this.#total = total;
    this.#what = what;
  }

  show(done: number): void {
    if (!this.#io.watched) return;
    const filled = Math.round((done / this.#total) * WIDTH);
    const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
    this.#io.err(`\r[${bar}] ${done} of ${this.#total} ${this.#what}`);
  }

  /** What is printed next starts on a line of its own. */
  end(): void {
    if (this.#io.watched) this.#io.err('\n');
  }
}
