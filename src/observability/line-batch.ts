import type { DestinationStream } from 'pino';

/** Lines go out together: a write for each would cost more than the line. None waits longer than the second of these. */
const BATCH_LENGTH = 65_536;
const FLUSH_MS = 100;

/** Collects lines in front of a destination, which would copy all that it has collected with every line. */
export class LineBatch implements DestinationStream {
  readonly #destination: DestinationStream;
  #lines = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(destination: DestinationStream) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= BATCH_LENGTH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#destination.write(lines);
  }
}
