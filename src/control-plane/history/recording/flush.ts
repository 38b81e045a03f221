import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../../base/time.ts';
import { waitAtMost } from '../../../base/awaitable.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';
import {
  type Chunk,
  type HistoryStore,
  MAX_CHUNK_ROWS,
  type UsageRow,
  type ViolationRow,
} from '../store/history-store.ts';
import type { Recorder } from './recorder.ts';
import type { ViolationCounts } from './violation-counts.ts';

const FLUSH_EVERY_MS = 10_000;
const RETRY_MS = 1000;

interface FlushOptions {
  readonly recorder: Recorder;
  readonly violations?: ViolationCounts;
  readonly store: Pick<HistoryStore, 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause before a chunk is sent again. */
  readonly retryMs?: number;
}

/**
 * Writes recorded counts to the store, chunk by chunk. A chunk is sent again until the store confirms it, and the store
 * adds each chunk only once. While the store is unavailable, the recorder keeps all further counts.
 */
export class Flush {
  /** Number of failed attempts to write a chunk. */
  failures = 0;
  /** Number of requests in chunks that the store rejected permanently. */
  lost = 0;
  readonly #options: FlushOptions;
  readonly #writer = randomUUID();
  readonly #abortController = new AbortController();
  #sequence = 0;
  #unwritten: readonly UsageRow[] = [];
  #violations: readonly ViolationRow[] = [];
  /** A time shortly before the oldest request in `#unwritten`, in ms since the Unix epoch. */
  #unwrittenSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  /** Message of the last failure; null: the last chunk was written. */
  #failure: string | null = null;

  constructor(options: FlushOptions) {
    this.#options = options;
  }

  /** Number of rows that are not written yet. */
  get pending(): number {
    const { recorder, violations } = this.#options;
    return recorder.size + this.#unwritten.length + (violations?.size ?? 0) + this.#violations.length;
  }

  /** Why the last chunk could not be written; null if it was written. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Age of the oldest request that is not written yet, in ms. */
  get lagMs(): number {
    const { recorder, clock } = this.#options;
    const oldestAt = this.#unwritten.length > 0 ? this.#unwrittenSince : recorder.oldestAt;
    return oldestAt === null ? 0 : Math.max(0, clock() - oldestAt);
  }

  /** Starts writing periodically. */
  start(everyMs = FLUSH_EVERY_MS): void {
    this.#timer = setInterval(() => void this.run(), everyMs).unref();
  }

  /** Writes everything recorded so far, unless a flush is already running. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Writes everything recorded. @param limitMs time limit, after which the remaining counts are dropped */
  async close(limitMs: number): Promise<void> {
    clearInterval(this.#timer);
    const written = this.run().then(() => this.run());
    // The store may try to write a chunk for longer than that.
    await waitAtMost(limitMs, written);
    this.#abortController.abort();
    if (this.pending > 0)
      this.#options.logger.error({ rows: this.pending }, 'history could not be written and is lost');
  }

  async #writeAll(): Promise<void> {
    const { recorder, violations } = this.#options;
    recorder.closeMinute();
    while (!this.#abortController.signal.aborted) {
      this.#unwrittenSince = recorder.oldestAt ?? 0;
      this.#unwritten = recorder.take(MAX_CHUNK_ROWS);
      this.#violations = violations?.take(MAX_CHUNK_ROWS) ?? [];
      if (this.#unwritten.length + this.#violations.length === 0) return;
      const content = { rows: this.#unwritten, violations: this.#violations };
      await this.#writeChunk({ writer: this.#writer, sequence: ++this.#sequence, ...content });
    }
  }

  async #writeChunk(chunk: Chunk): Promise<void> {
    while (!this.#abortController.signal.aborted) {
      try {
        await this.#options.store.write(chunk);
        return this.#recordSuccess();
      } catch (error) {
        this.failures++;
        if (!(error instanceof StoreUnavailable)) return this.#dropChunk(chunk, error);
        this.#recordFailure(error);
      }
      await sleep(this.#options.retryMs ?? RETRY_MS, undefined, {
        signal: this.#abortController.signal,
        ref: false,
      }).catch(() => {});
    }
  }

  #recordSuccess(): void {
    this.#unwritten = [];
    this.#violations = [];
    if (this.#failure !== null) this.#options.logger.info('history can be written again');
    this.#failure = null;
  }

  #recordFailure({ message }: Error): void {
    if (message === this.#failure) return;
    this.#failure = message;
    this.#options.logger.warn({ reason: message }, 'history cannot be written; keeping it in memory and retrying');
  }

  /**
   * Drops a chunk that the store rejected. That means a bug in the gateway, and retrying would block all later chunks.
   */
  #dropChunk({ rows }: Chunk, error: unknown): void {
    this.#unwritten = [];
    this.#violations = [];
    this.lost += rows.reduce((sum, { requests }) => sum + requests, 0);
    this.#options.logger.error(
      { err: error, rows: rows.length },
      'part of the history was rejected by the database and lost',
    );
  }
}
