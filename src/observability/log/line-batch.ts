import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** A batch is written at this length (characters), or when its first line is this old: a write per line is expensive. */
const BATCH_LENGTH = 65_536;
const BATCH_AGE_MS = 100;
/** What is held while nothing can be written (characters); further lines are dropped. */
const MAX_HELD_LENGTH = 1_048_576;
/** Between attempts to write: the first pause, doubled up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/** The longest that a flush, or the end of the process, waits for the log. */
const FLUSH_LIMIT_MS = 1000;
/** A write that is out for this long hangs in the kernel. */
const HUNG_MS = 500;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to a file descriptor, many at a time, and never blocks on it. While it takes nothing (a full disk, a
 * pipe that nobody reads) a bounded amount is held, and further lines are dropped and counted.
 */
export class LineBatch implements DestinationStream {
  readonly #fd: number;
  readonly #onGap: (dropped: number) => void;
  /** Not handed to the system yet. */
  #lines = '';
  /** Handed to the system, which has not taken it yet. */
  #batch: Buffer = NOTHING;
  #writingSince: number | null = null;
  #batchTimer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** A batch is due, and waits for the one before it. */
  #due = false;
  /** Lines dropped since the last one that was kept. */
  #gap = 0;
  #dropped = 0;
  readonly #flushes = new Set<() => void>();

  /** @param onGap called where lines are missing, once writing works again; may write a line that says so */
  constructor(fd: number, onGap: (dropped: number) => void) {
    this.#fd = fd;
    this.#onGap = onGap;
  }

  /** Lines that were lost, in all. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    const held = this.#lines.length + this.#batch.length;
    // Once one line is missing, so are all up to the notice: it then stands where they would have been.
    if (this.#gap > 0 || (held > 0 && held + line.length > MAX_HELD_LENGTH)) {
      this.#gap++;
      this.#dropped++;
      return;
    }
    this.#lines += line;
    if (this.#lines.length >= BATCH_LENGTH) this.#writeBatch();
    else this.#batchTimer ??= setTimeout(() => this.#writeBatch(), BATCH_AGE_MS).unref();
  }

  /** Calls back when all lines are written, and at the latest after a second. */
  flush(done: () => void): void {
    const finish = () => {
      clearTimeout(timer);
      if (this.#flushes.delete(finish)) done();
    };
    const timer = setTimeout(finish, FLUSH_LIMIT_MS);
    this.#flushes.add(finish);
    this.#writeBatch();
    this.#finishIfEmpty();
  }

  /** Writes what it can before the process is gone, for a second at most. */
  flushAtExit(): void {
    const bytes = Buffer.concat([this.#writingSince === null ? this.#batch : NOTHING, Buffer.from(this.#lines)]);
    this.#batch = NOTHING;
    this.#lines = '';
    writeWithin(this.#fd, bytes, FLUSH_LIMIT_MS);
  }

  /** Whether a write hangs, on a frozen terminal for one. It keeps even `process.exit` from ending the process. */
  get isHung(): boolean {
    return this.#writingSince !== null && performance.now() - this.#writingSince >= HUNG_MS;
  }

  #writeBatch(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#due = this.#batch.length > 0;
    if (this.#due || this.#lines === '') return;
    this.#batch = Buffer.from(this.#lines);
    this.#lines = '';
    this.#writeRest();
  }

  #writeRest(): void {
    this.#writingSince = performance.now();
    write(this.#fd, this.#batch, (error, written) => {
      this.#writingSince = null;
      if (error === null) this.#wrote(written);
      else this.#tryAgainLater();
    });
  }

  #wrote(bytes: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#batch = this.#batch.subarray(bytes);
    if (this.#batch.length > 0) return this.#writeRest();
    if (this.#due || this.#gap > 0) this.#writeBatch();
    this.#finishIfEmpty();
  }

  /** Whatever the error: room, a reader or a disk may come back, and nothing else can be done. */
  #tryAgainLater(): void {
    setTimeout(() => this.#writeRest(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  #finishIfEmpty(): void {
    if (this.#batch.length > 0 || this.#lines !== '') return;
    if (this.#gap > 0) {
      const dropped = this.#gap;
      this.#gap = 0;
      this.#onGap(dropped);
    }
    if (this.#lines !== '') {
      if (this.#flushes.size > 0) this.#writeBatch();
      return;
    }
    for (const finish of this.#flushes) finish();
  }
}

/** Gives up after `limitMs`, or at an error that does not pass by itself. */
function writeWithin(fd: number, bytes: Buffer, limitMs: number): void {
  const giveUpAt = performance.now() + limitMs;
  for (let rest = bytes; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= giveUpAt) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FIRST_PAUSE_MS);
    }
  }
}
