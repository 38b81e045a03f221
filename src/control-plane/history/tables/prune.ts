import { usageTables } from '../../../storage/history-tables.ts';
import { type Retention, REFUSALS_KEPT_MS, WRITERS_KEPT_MS } from './retention.ts';
import { keySlices } from './key-slices.ts';
import type { Statements } from './statements.ts';
import { monthOf, startOf } from './times.ts';

const MINUTE_SLICE = `DELETE FROM ${usageTables.minute} WHERE at = (SELECT min(at) FROM ${usageTables.minute} WHERE at < $1)`;
const MONTH_SLICE = `DELETE FROM usage_months WHERE month = (SELECT min(month) FROM usage_months WHERE month < $1)`;
const REFUSALS_SLICE = `
  DELETE FROM refusals WHERE (request_id, quota_id, at) IN (
    SELECT request_id, quota_id, at FROM refusals WHERE at < $1 ORDER BY at LIMIT 1000)`;

/** Deletes what is older than is kept, in small transactions. */
export class Pruner {
  readonly #statements: Statements;
  readonly #keep: Retention;
  /** By table: what is older than this has been deleted. */
  readonly #prunedBefore = new Map<string, number>();

  constructor(statements: Statements, keep: Retention) {
    this.#statements = statements;
    this.#keep = keep;
  }

  /** @returns the number of rows deleted */
  async prune(now: number): Promise<number> {
    const daysBefore = now - this.#keep.days;
    return (
      (await this.#untilDone(MINUTE_SLICE, now - this.#keep.minutes)) +
      (await this.#pruneByKey(usageTables.hour, startOf('day', now - this.#keep.hours))) +
      (await this.#pruneByKey(usageTables.day, startOf('day', daysBefore))) +
      (await this.#untilDone(MONTH_SLICE, monthOf(daysBefore))) +
      (await this.#untilDone(REFUSALS_SLICE, now - REFUSALS_KEPT_MS)) +
      (await this.#statements.run('DELETE FROM history_writers WHERE at < $1', [Date.now() - WRITERS_KEPT_MS]))
    );
  }

  async #untilDone(slice: string, before: number): Promise<number> {
    let total = 0;
    for (let deleted; deleted !== 0; total += deleted) deleted = await this.#statements.run(slice, [before]);
    return total;
  }

  /**
   * Hours and days are stored by key first. Looking into each key for old rows needs no index by time, but reads the
   * whole table: so days are deleted as wholes, and the table is read once a day, and not each time.
   */
  async #pruneByKey(table: string, before: number): Promise<number> {
    if (this.#prunedBefore.get(table) === before) return 0;
    let total = 0;
    for (const { from, to } of await keySlices(this.#statements)) {
      total += await this.#statements.run(
        `DELETE FROM ${table} WHERE at < $3 AND key_no IN (SELECT no FROM history_names WHERE no >= $1 AND no < $2)`,
        [from, to, before],
      );
    }
    this.#prunedBefore.set(table, before);
    return total;
  }
}
