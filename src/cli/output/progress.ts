import type { Io } from '../io.ts';

const BAR_WIDTH = 30;

/** A progress bar on the terminal; nothing is written if nobody watches. */
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
    const filled = Math.round((done / total) * BAR_WIDTH);
    const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
    this.#io.err(`\r[${bar}] ${done} of ${total} ${this.#what}`);
  }

  /** Ends the line, so that the next output starts on a new one. */
  end(): void {
    if (this.#shown) this.#io.err('\n');
  }
}
