import type { DestinationStream } from 'pino';

/** Lines go out together: a write for each would cost more than the line. None waits longer than the second of these. */
const BATCH_LENGTH = 65_536;
const FLUSH_MS = 100;

/** Where lines go. */
export interface Destination extends DestinationStream {
  /** Calls back when all that it was given is written. */
  flush(done: (error?: Error) => void): void;
}

/** Collects lines in front of a destination, which would copy all that it has collected with every line. */
export class LineBatch implements Destination {
  readonly #destination: Destination;
  #lines = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= BATCH_LENGTH) this.handOn();
    else this.#timer ??= setTimeout(() => this.handOn(), FLUSH_MS).unref();
  }

  flush(done: (error?: Error) => void): void {
    this.handOn();
    this.#destination.flush(done);
  }

  /** Hands all lines on. The destination writes them when it can. */
  handOn(to: DestinationStream = this.#destination): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    to.write(lines);
  }
}
