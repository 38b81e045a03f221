import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/**
 * A write per line is expensive, so lines are written in batches. A batch is written when it reaches this length in
 * characters, or when its first line reaches this age.
 */
const BATCH_LENGTH = 65_536;
const BATCH_AGE_MS = 100;
/** Maximum number of characters held while nothing can be written. Further lines are dropped. */
const MAX_HELD_LENGTH = 1_048_576;
/** Pauses between attempts to write. The first pause is doubled each time, up to the maximum. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
/** Maximum time that a flush or the exit of the process waits for the log. */
const FLUSH_TIMEOUT_MS = 1000;
/** A write that is pending for this long hangs in the kernel. */
const HUNG_MS = 500;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to a file descriptor in batches and never blocks. If the file accepts nothing (a full disk, a pipe that
 * nothing reads), a limited amount is held. Further lines are dropped and counted.
 *
 * sonic-boom (4.2.1) is not used for several reasons. Its `flushSync` never returns on a full disk, and its `flush` has
 * no deadline. After an error, it writes nothing until the next line. In batches of this size, a line costs it six
 * times the CPU.
 */
export class LineBatch implements DestinationStream {
  readonly #fd: number;
  readonly #onGap: (dropped: number) => void;
  /** Lines that were not passed to the system yet. */
  #lines = '';
  /** The batch that was passed to the system. The system has not accepted all of it yet. */
  #batch: Buffer = NOTHING;
  #isWriting = false;
  #isHung = false;
  #batchTimer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** Another batch is due, but waits for the previous batch. */
  #due = false;
  /** Lines dropped since a line was last kept. */
  #gap = 0;
  #dropped = 0;
  readonly #flushes = new Set<() => void>();

  /** @param onGap called at the place of missing lines when writing works again; it may write a line about them */
  constructor(fd: number, onGap: (dropped: number) => void) {
    this.#fd = fd;
    this.#onGap = onGap;
  }

  /** Total number of lines lost. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    const held = this.#lines.length + this.#batch.length;
    // After the first missing line, drop all lines until the notice is written, so that it is exactly where they are
    // missing.
    if (this.#gap > 0 || (held > 0 && held + line.length > MAX_HELD_LENGTH)) {
      this.#gap++;
      this.#dropped++;
      return;
    }
    this.#lines += line;
    if (this.#lines.length >= BATCH_LENGTH) this.#writeBatch();
    else this.#batchTimer ??= setTimeout(() => this.#writeBatch(), BATCH_AGE_MS).unref();
  }

  /** Calls back when all lines are written, after a second at the latest. */
  flush(done: () => void): void {
    const finish = () => {
      clearTimeout(timer);
      if (this.#flushes.delete(finish)) done();
    };
    const timer = setTimeout(finish, FLUSH_TIMEOUT_MS);
    this.#flushes.add(finish);
    this.#writeBatch();
    this.#finishIfEmpty();
  }

  /** Writes what it can before the process exits, for at most a second. */
  flushAtExit(): void {
    const bytes = Buffer.concat([this.#isWriting ? NOTHING : this.#batch, Buffer.from(this.#lines)]);
    this.#batch = NOTHING;
    this.#lines = '';
    writeWithin(this.#fd, bytes, FLUSH_TIMEOUT_MS);
  }

  /**
   * Whether a write hangs, for example on a frozen terminal. In that case, not even `process.exit` ends the process.
   */
  get isHung(): boolean {
    return this.#isHung;
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
    this.#isWriting = true;
    let isOver = false;
    const noteHung = () => {
      this.#isHung = !isOver;
    };
    // On a busy process, the timer can fire although the write has finished. The immediate lets the callback of the
    // write run before `noteHung`.
    const timer = setTimeout(() => setImmediate(noteHung), HUNG_MS).unref();
    write(this.#fd, this.#batch, (error, written) => {
      isOver = true;
      clearTimeout(timer);
      this.#isWriting = false;
      this.#isHung = false;
      if (error === null) this.#wrote(written);
      else this.#retryLater();
    });
  }

  #wrote(bytes: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#batch = this.#batch.subarray(bytes);
    if (this.#batch.length > 0) return this.#writeRest();
    if (this.#due || this.#gap > 0) this.#writeBatch();
    this.#finishIfEmpty();
  }

  /** Tries again after any error. Space, a reader or a disk may come back, and there is nothing else to do. */
  #retryLater(): void {
    setTimeout(() => this.#writeRest(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
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

/** Gives up after `timeoutMs`, or on an error that is not temporary. */
function writeWithin(fd: number, bytes: Buffer, timeoutMs: number): void {
  const giveUpAt = performance.now() + timeoutMs;
  for (let rest = bytes; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= giveUpAt) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FIRST_PAUSE_MS);
    }
  }
}
