import type { Io } from '../io.ts';

const WIDTH = 30;

/** A bar on the terminal; nothing where nobody watches. */
export class Progress {
  readonly #io: Io;
  readonly #what: string;
  #shown = false;

  constructor(io: Io, what: string) {
    this.#io = io;
    this.#what = what;
  }

  show(done: number, total: number): void {
    if (!this.#io.watched) return;
    this.#shown = true;
    const filled = Math.round((done / total) * WIDTH);
    const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
    this.#io.err(`\r[${bar}] ${done} of ${total} ${this.#what}`);
  }

  /** What is printed next starts on a line of its own. */
  end(): void {
    if (this.#shown) this.#io.err('\n');
  }
}
