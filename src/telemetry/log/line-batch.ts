import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/**
 * Lines are written in batches, because a write per line is expensive. A batch is written when it reaches this length
 * in characters, or when its first line reaches this age.
 */
const BATCH_LENGTH = 65_536;
const BATCH_AGE_MS = 100;
/** Maximum number of characters to hold while nothing can be written. Further lines are dropped. */
const MAX_HELD_LENGTH = 1_048_576;
/** Pauses between attempts to write. Each pause is twice as long as the previous one, up to the maximum. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
/** Maximum time that a flush or the exit of the process waits for pending lines. */
const FLUSH_TIMEOUT_MS = 1000;
/** A write that takes longer than this counts as hung in the kernel. */
const HUNG_MS = 500;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to a file descriptor in batches, without ever blocking. If nothing can be written (a full disk, a pipe
 * that nobody reads), it holds a limited number of characters, and drops and counts further lines.
 *
 * sonic-boom (4.2.1) is not used for several reasons. Its `flushSync` never returns on a full disk, and its `flush` has
 * no timeout. After an error, it writes nothing until the next line arrives. With batches of this size, it uses six
 * times the CPU per line.
 */
export class LineBatch implements DestinationStream {
  readonly #fd: number;
  readonly #onGap: (dropped: number) => void;
  /** Lines that are not yet part of a batch. */
  #lines = '';
  /** The rest of the batch that is being written. */
  #batch: Buffer = NOTHING;
  #isWriting = false;
  #isHung = false;
  #batchTimer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** Whether another batch should be written right after the current one. */
  #isBatchDue = false;
  /** Number of lines dropped since the last line that was kept. */
  #gap = 0;
  #dropped = 0;
  readonly #flushes = new Set<() => void>();

  /**
   * @param onGap called when writing works again after lines were dropped; it may write a line about them, which
   *   appears where they are missing
   */
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
    // After the first dropped line, drop all lines until `onGap` is called, so that its notice is exactly where the
    // lines are missing.
    if (this.#gap > 0 || (held > 0 && held + line.length > MAX_HELD_LENGTH)) {
      this.#gap++;
      this.#dropped++;
      return;
    }
    this.#lines += line;
    if (this.#lines.length >= BATCH_LENGTH) this.#writeBatch();
    else this.#batchTimer ??= setTimeout(() => this.#writeBatch(), BATCH_AGE_MS).unref();
  }

  /** Calls `done` when all lines are written, after a second at the latest. */
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

  /** Writes as many lines as possible before the process exits, for at most a second. Blocks. */
  flushAtExit(): void {
    const bytes = Buffer.concat([this.#isWriting ? NOTHING : this.#batch, Buffer.from(this.#lines)]);
    this.#batch = NOTHING;
    this.#lines = '';
    writeWithin(this.#fd, bytes, FLUSH_TIMEOUT_MS);
  }

  /** Whether a write hangs, for example on a frozen terminal. Not even `process.exit` would end the process then. */
  get isHung(): boolean {
    return this.#isHung;
  }

  #writeBatch(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#isBatchDue = this.#batch.length > 0;
    if (this.#isBatchDue || this.#lines === '') return;
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
    // In a busy process, the timer may fire although the write has finished. `setImmediate` lets the callback of the
    // write run first.
    const timer = setTimeout(() => setImmediate(noteHung), HUNG_MS).unref();
    write(this.#fd, this.#batch, (error, written) => {
      isOver = true;
      clearTimeout(timer);
      this.#isWriting = false;
      this.#isHung = false;
      if (error === null) this.#handleWritten(written);
      else this.#retryLater();
    });
  }

  #handleWritten(bytes: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#batch = this.#batch.subarray(bytes);
    if (this.#batch.length > 0) return this.#writeRest();
    if (this.#isBatchDue || this.#gap > 0) this.#writeBatch();
    this.#finishIfEmpty();
  }

  /** Retries after any error, because a reader or disk space may become available again. */
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

/** Writes synchronously until `timeoutMs` is over or a permanent error occurs. */
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
