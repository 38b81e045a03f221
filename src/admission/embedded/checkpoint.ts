import type { StatementSync } from 'node:sqlite';
import type { SqliteFile } from '../../database/sqlite/sqlite-file.ts';
import type { BanPolicy } from '../bans.ts';
import { expiresAt } from '../expiry.ts';
import { initialState, type State } from '../state.ts';
import type { Millis } from '../limits.ts';
import type { Journal } from './memory-store.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';

/** A crash may lose at most a second of counts: well below that, so that a busy event loop stays within it. */
const INTERVAL_MS = 500;
/** Slower after a failure: the disk may be full, so retrying twice a second is pointless. */
const RETRY_MS = 1000;
/** Rows per transaction. Requests wait while one runs, so changes are not written all in one. */
const BATCH_ROWS = 1000;

const fields = Object.keys(initialState) as (keyof State)[];
const columns = fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

export interface CheckpointOptions {
  readonly database: SqliteFile;
  readonly policy: BanPolicy;
  /** Called for every failed write. Counters are retried; a `keep` is not. */
  readonly onError: (error: unknown) => void;
}

/** Persists quotas in the table `quotas`: bans immediately, counters soon after they change. */
export class Checkpoint implements Journal {
  readonly #options: CheckpointOptions;
  readonly #upsert: StatementSync;
  readonly #delete: StatementSync;
  readonly #dirty = new Map<string, State | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    const { sqlite } = options.database;
    const names = ['quota_id', ...columns, 'expires_at'];
    this.#upsert = sqlite.prepare(
      `INSERT OR REPLACE INTO quotas (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    this.#delete = sqlite.prepare('DELETE FROM quotas WHERE quota_id = ?');
  }

  /** Deletes the quotas that have expired by `now` and returns the rest. */
  restore(now: Millis): [quotaId: string, state: State][] {
    const { sqlite } = this.#options.database;
    sqlite.prepare('DELETE FROM quotas WHERE expires_at <= ?').run(now);
    const selected = fields.map((field, index) => `${columns[index]} AS "${field}"`).join(', ');
    const rows = sqlite.prepare(`SELECT quota_id AS "quotaId", ${selected} FROM quotas`).all();
    return rows.map(({ quotaId, ...state }) => [String(quotaId), state as unknown as State]);
  }

  changed(quotaId: string, state: State | undefined): void {
    this.#dirty.set(quotaId, state);
    this.#timer ??= this.#arm(INTERVAL_MS);
  }

  keep(quotaId: string, state: State): boolean {
    try {
      this.#write(quotaId, state);
      this.#dirty.delete(quotaId);
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
    clearTimeout(this.#timer);
    try {
      while (this.#dirty.size > 0) this.#writeBatch();
    } catch (error) {
      throw new StoreUnavailable('the last counters could not be written', { cause: error });
    }
  }

  #arm(delayMs: number): NodeJS.Timeout | undefined {
    return this.#closed ? undefined : setTimeout(() => this.#run(), delayMs).unref();
  }

  #run(): void {
    let delayMs = 0;
    try {
      this.#writeBatch();
    } catch (error) {
      this.#options.onError(error);
      delayMs = RETRY_MS;
    }
    this.#timer = this.#dirty.size > 0 ? this.#arm(delayMs) : undefined;
  }

  #writeBatch(): void {
    const { sqlite } = this.#options.database;
    const batch = [...this.#dirty.entries().take(BATCH_ROWS)];
    sqlite.exec('BEGIN IMMEDIATE');
    try {
      for (const [quotaId, state] of batch) this.#write(quotaId, state);
      sqlite.exec('COMMIT');
    } catch (error) {
      // SQLite rolls back by itself after some failures.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      throw error;
    }
    for (const [quotaId] of batch) this.#dirty.delete(quotaId);
  }

  #write(quotaId: string, state: State | undefined): void {
    if (state === undefined) this.#delete.run(quotaId);
    else this.#upsert.run(quotaId, ...fields.map((field) => state[field]), expiresAt(state, this.#options.policy));
  }
}
