import type { StatementSync } from 'node:sqlite';
import type { Millis } from '../../../base/time.ts';
import type { SqliteFile } from '../../../storage/sqlite-file.ts';
import { type BanPolicy, computeExpiry } from '../ban-rules.ts';
import { initialState, type MonthState, type State } from '../state.ts';
import type { Journal } from './memory-store.ts';
import { StoreUnavailable } from '../../../base/error-types.ts';

/**
 * Maximum time in ms from a change to the end of the pass that writes it. A crash may lose at most a second of counts.
 * This is slightly less than a second, because a busy event loop may delay a pass. It is not much less, because every
 * pass writes all states that are in steady use.
 */
const MAX_UNWRITTEN_MS = 800;
/** Minimum time in ms from the first change to the pass that writes it, even if passes take long. */
const MIN_DELAY_MS = 300;
/** Wait after a failure, in ms. The disk may be full, so retrying at once is pointless. */
const RETRY_MS = 1000;
/** Rows per transaction. Requests wait while a transaction runs, so a pass uses several transactions. */
const BATCH_ROWS = 1000;

type Field = Exclude<keyof State, 'month'>;
const fields = Object.keys(initialState).filter((field) => field !== 'month') as Field[];
const columns = fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const NO_MONTH: MonthState = { start: 0, end: 0, used: 0, refusedAt: 0 };

/** The states to write, by quota; undefined to delete the row. */
type Changes = Map<string, State | undefined>;

interface CheckpointOptions {
  readonly database: SqliteFile;
  readonly policy: BanPolicy;
  /** Called for every failed write. Writes of counters are retried, but those of `keep` are not. */
  readonly onError: (error: unknown) => void;
  /** Called after each successful write of counters. */
  readonly onWritten?: (() => void) | undefined;
  /** A clock for measuring passes, in ms. */
  readonly monotonicClock: () => number;
}

/**
 * Persists quotas in the table `quotas`: bans immediately, counters soon after they change. Counters are written in
 * passes. A pass writes each state once; later changes wait for the next pass.
 */
export class Checkpoint implements Journal {
  readonly #options: CheckpointOptions;
  readonly #upsert: StatementSync;
  readonly #delete: StatementSync;
  /** Changes for the next pass, in the order in which quotas first changed. */
  #dirty: Changes = new Map();
  /**
   * Changes that the current pass still has to write, sorted by the table's key. With a million active quotas, this order
   * halves the number of pages written. Empty between passes.
   */
  #writing: Changes = new Map();
  #passStartedAt = 0;
  #lastPassMs = 0;
  /** Timer of the next pass. It keeps running even if all changes have been written in the meantime. */
  #nextPass: NodeJS.Timeout | undefined;
  /** Timer of the next batch of the current pass. */
  #nextBatch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    const { sqlite } = options.database;
    const columnNames = [
      'quota_id',
      ...columns,
      'month_start',
      'month_end',
      'month_used',
      'month_refused_at',
      'expires_at',
    ];
    this.#upsert = sqlite.prepare(
      `INSERT OR REPLACE INTO quotas (${columnNames.join(', ')}) VALUES (${columnNames.map(() => '?').join(', ')})`,
    );
    this.#delete = sqlite.prepare('DELETE FROM quotas WHERE quota_id = ?');
  }

  /** Deletes the quotas that have expired by `now` and returns the rest. */
  restore(now: Millis): [quotaId: string, state: State][] {
    const { sqlite } = this.#options.database;
    sqlite.prepare('DELETE FROM quotas WHERE expires_at <= ?').run(now);
    const selected = fields.map((field, index) => `${columns[index]} AS "${field}"`).join(', ');
    const rows = sqlite
      .prepare(`SELECT quota_id, month_start, month_end, month_used, month_refused_at, ${selected} FROM quotas`)
      .all();
    return rows.map((row) => {
      const { quota_id, month_start, month_end, month_used, month_refused_at, ...rest } = row;
      const month = { start: month_start, end: month_end, used: month_used, refusedAt: month_refused_at };
      const state = { ...rest, month: month_used === 0 ? null : month } as unknown as State;
      return [String(quota_id), state];
    });
  }

  scheduleWrite(quotaId: string, state: State | undefined): void {
    if (this.#writing.has(quotaId)) {
      this.#writing.set(quotaId, state);
      return;
    }
    // The oldest change decides when the pass is due, so only the first change sets the timer.
    if (this.#dirty.size === 0) {
      const delayMs = Math.max(MIN_DELAY_MS, MAX_UNWRITTEN_MS - this.#lastPassMs);
      this.#nextPass ??= this.#setTimer(delayMs, () => this.#startDuePass());
    }
    this.#dirty.set(quotaId, state);
  }

  keep(quotaId: string, state: State): boolean {
    try {
      this.#write(quotaId, state);
      this.#dirty.delete(quotaId);
      this.#writing.delete(quotaId);
      return true;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }

  /** @throws StoreUnavailable if the last counters could not be written */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#nextPass);
    clearTimeout(this.#nextBatch);
    try {
      while (this.#writing.size > 0 || this.#dirty.size > 0) this.#writeBatch();
    } catch (error) {
      throw new StoreUnavailable('the last counters could not be written', { cause: error });
    }
  }

  #setTimer(delayMs: number, then: () => void): NodeJS.Timeout | undefined {
    return this.#closed ? undefined : setTimeout(then, delayMs).unref();
  }

  #startDuePass(): void {
    this.#nextPass = undefined;
    // If a pass is running, the next one begins when it ends.
    if (this.#writing.size === 0 && this.#dirty.size > 0) this.#runBatch();
  }

  /** Writes a batch, and sets a timer for the next one. */
  #runBatch(): void {
    if (this.#closed) return;
    let delayMs = 0;
    try {
      this.#writeBatch();
      this.#options.onWritten?.();
    } catch (error) {
      this.#options.onError(error);
      delayMs = RETRY_MS;
    }
    const isOverdue = this.#dirty.size > 0 && this.#nextPass === undefined;
    const more = this.#writing.size > 0 || isOverdue;
    this.#nextBatch = more ? this.#setTimer(delayMs, () => this.#runBatch()) : undefined;
  }

  #writeBatch(): void {
    if (this.#writing.size === 0) this.#beginPass();
    const { sqlite } = this.#options.database;
    const batch = [...this.#writing.entries().take(BATCH_ROWS)];
    sqlite.exec('BEGIN IMMEDIATE');
    try {
      for (const [quotaId, state] of batch) this.#write(quotaId, state);
      sqlite.exec('COMMIT');
    } catch (error) {
      // SQLite rolls back by itself after some failures.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      throw error;
    }
    for (const [quotaId] of batch) this.#writing.delete(quotaId);
    this.#lastPassMs = this.#options.monotonicClock() - this.#passStartedAt;
  }

  #beginPass(): void {
    this.#passStartedAt = this.#options.monotonicClock();
    this.#writing = new Map([...this.#dirty].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#dirty = new Map();
  }

  #write(quotaId: string, state: State | undefined): void {
    if (state === undefined) this.#delete.run(quotaId);
    else {
      const { start, end, used, refusedAt } = state.month ?? NO_MONTH;
      const month = [start, end, used, refusedAt];
      const values = fields.map((field) => state[field]);
      this.#upsert.run(quotaId, ...values, ...month, computeExpiry(state, this.#options.policy));
    }
  }
}
