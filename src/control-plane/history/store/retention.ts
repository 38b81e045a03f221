import { DAY_MS, HOUR_MS } from '../../../base/time.ts';
import { findNextStart, startOfMonth, findStart } from './calendar.ts';
import { listKeySlices, type Statements } from './chunk-tables.ts';
import type { Deleted, Resolution } from './history-store.ts';
import { usageTables } from '../../../storage/history-tables.ts';

/** Retention of counts at each resolution, in ms: the setting `history.keep`. */
export interface Retention {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

/** The start of the oldest interval that is stored completely, in ms since the Unix epoch. */
export function findOldestKept(keep: Retention, every: Resolution, now: number): number {
  const keptMs = { minute: keep.minutes, hour: keep.hours, '6h': keep.hours, day: keep.days }[every];
  return findNextStart(every, now - keptMs);
}

/** Refusals can be explained for this long. */
export const REFUSALS_KEPT_MS = 48 * HOUR_MS;

/** A writer that has added nothing for this long is assumed to be gone. */
const WRITERS_KEPT_MS = 30 * DAY_MS;

const MINUTE_SLICE = `DELETE FROM ${usageTables.minute} WHERE at = (SELECT min(at) FROM ${usageTables.minute} WHERE at < $1)`;
const MONTH_SLICE = `DELETE FROM usage_months WHERE month = (SELECT min(month) FROM usage_months WHERE month < $1)`;
const REFUSALS_SLICE = `
  DELETE FROM refusals WHERE (request_id, quota_id, at) IN (
    SELECT request_id, quota_id, at FROM refusals WHERE at < $1 ORDER BY at LIMIT 1000)`;

const REPEATED_SLICE = `
  DELETE FROM repeated_refusals WHERE (request_id, key_no, at) IN (
    SELECT request_id, key_no, at FROM repeated_refusals WHERE at < $1 ORDER BY at LIMIT 1000)`;

const VIOLATIONS_SLICE = `
  DELETE FROM violations WHERE (operation_no, kind, at, key_no, rule_no) IN (
    SELECT operation_no, kind, at, key_no, rule_no FROM violations WHERE at < $1 ORDER BY at LIMIT 1000)`;

const VIOLATION_DAYS_SLICE = `
  DELETE FROM violation_days WHERE (operation_no, kind, rule_no, at) IN (
    SELECT operation_no, kind, rule_no, at FROM violation_days WHERE at < $1 ORDER BY at LIMIT 1000)`;

/** Deletes old data, in small transactions. */
export class Pruner {
  readonly #statements: Statements;
  readonly #keep: Retention;
  /** The time before which all data has been deleted, by table. */
  readonly #prunedBefore = new Map<string, number>();

  constructor(statements: Statements, keep: Retention) {
    this.#statements = statements;
    this.#keep = keep;
  }

  /** @returns the number of rows deleted */
  async prune(now: number): Promise<number> {
    const daysBefore = now - this.#keep.days;
    return (
      (await this.#deleteAll(MINUTE_SLICE, now - this.#keep.minutes)) +
      (await this.#pruneByKey(usageTables.hour, findStart('day', now - this.#keep.hours))) +
      (await this.#pruneByKey(usageTables.day, findStart('day', daysBefore))) +
      (await this.#deleteAll(MONTH_SLICE, startOfMonth(daysBefore))) +
      (await this.#deleteAll(REPEATED_SLICE, now - REFUSALS_KEPT_MS)) +
      (await this.#deleteAll(REFUSALS_SLICE, now - REFUSALS_KEPT_MS)) +
      (await this.#deleteAll(VIOLATIONS_SLICE, findStart('day', now - this.#keep.hours))) +
      (await this.#deleteAll(VIOLATION_DAYS_SLICE, findStart('day', now - this.#keep.hours))) +
      (await this.#statements.run('DELETE FROM history_writers WHERE at < $1', [Date.now() - WRITERS_KEPT_MS]))
    );
  }

  async #deleteAll(slice: string, before: number): Promise<number> {
    let total = 0;
    for (let deleted; deleted !== 0; total += deleted) deleted = await this.#statements.run(slice, [before]);
    return total;
  }

  /**
   * Deletes old rows of hours or days. These tables are sorted by key and have no index by time, so finding old rows
   * reads the whole table. To do this only once a day, and not on every run, data is deleted a whole day at a time.
   */
  async #pruneByKey(table: string, before: number): Promise<number> {
    if (this.#prunedBefore.get(table) === before) return 0;
    let total = 0;
    for (const { from, to } of await listKeySlices(this.#statements)) {
      total += await this.#statements.run(
        `DELETE FROM ${table} WHERE at < $3 AND key_no IN (SELECT no FROM history_names WHERE no >= $1 AND no < $2)`,
        [from, to, before],
      );
    }
    this.#prunedBefore.set(table, before);
    return total;
  }
}

/**
 * Returns a statement that deletes the rows of a key from a table that is sorted by time. It finds the rows with one
 * lookup for each time, instead of reading the whole table.
 */
function createDeleteByTime(table: string, time: string): string {
  return `
    WITH RECURSIVE times (time) AS (
      SELECT min(${time}) FROM ${table}
      UNION ALL SELECT (SELECT min(${time}) FROM ${table} WHERE ${time} > times.time) FROM times WHERE time IS NOT NULL
    ) DELETE FROM ${table} WHERE key_no = $1 AND ${time} IN (SELECT time FROM times)`;
}

const DELETE_KEY_STATEMENTS = [
  createDeleteByTime(usageTables.minute, 'at'),
  `DELETE FROM ${usageTables.hour} WHERE key_no = $1`,
  `DELETE FROM ${usageTables.day} WHERE key_no = $1`,
  createDeleteByTime('usage_months', 'month'),
  'DELETE FROM audience WHERE key_no = $1',
  // These rows are found by the times of the refusals that they refer to.
  'DELETE FROM repeated_refusals WHERE key_no = $1 AND at IN (SELECT at FROM refusals WHERE key_no = $1)',
  'DELETE FROM refusals WHERE key_no = $1',
  'DELETE FROM violations WHERE key_no = $1',
];

/** Deletes all rows of an owner's keys, key by key. If this is interrupted, it can be repeated. */
export async function deleteOwner(statements: Statements, owner: string): Promise<Deleted> {
  const keys = await statements.rows(
    'SELECT no FROM keys LEFT JOIN history_names ON history_names.name = keys.id WHERE keys.owner = $1',
    [owner],
  );
  // A key that has never been used has no number.
  const numbers = keys.flatMap(({ no }) => (no === null ? [] : [Number(no)]));
  return { keys: keys.length, rows: await deleteRows(statements, numbers) };
}

/** See `HistoryStore.deleteKeys`. */
export async function deleteKeys(statements: Statements, keyIds: readonly string[]): Promise<number> {
  const names = await statements.rows(`SELECT no FROM history_names WHERE name IN (${listPlaceholders(keyIds, 1)})`, [
    ...keyIds,
  ]);
  return deleteRows(
    statements,
    names.map(({ no }) => Number(no)),
  );
}

async function deleteRows(statements: Statements, keyNumbers: readonly number[]): Promise<number> {
  let rows = 0;
  for (const no of keyNumbers) for (const text of DELETE_KEY_STATEMENTS) rows += await statements.run(text, [no]);
  return rows;
}

/** See `HistoryStore.forgetUnused`. Minutes are not checked, because their counts are also in the hours and days. */
export async function forgetUnused(
  statements: Statements,
  keyIds: readonly string[],
  calledBefore: number,
): Promise<string[]> {
  const rows = await statements.rows(
    `SELECT no, name, (
       EXISTS (SELECT 1 FROM ${usageTables.hour} WHERE key_no = no)
       OR EXISTS (SELECT 1 FROM ${usageTables.day} WHERE key_no = no)
       OR EXISTS (SELECT 1 FROM audience WHERE key_no = no AND last_at >= $1)
       OR EXISTS (SELECT 1 FROM refusals WHERE key_no = no)
       OR EXISTS (SELECT 1 FROM violations WHERE key_no = no)
     ) AS used FROM history_names WHERE name IN (${listPlaceholders(keyIds, 2)})`,
    [calledBefore, ...keyIds],
  );
  const unused = rows.filter(({ used }) => !used).map(({ no }) => Number(no));
  if (unused.length > 0) {
    await statements.run(`DELETE FROM audience WHERE key_no IN (${listPlaceholders(unused, 1)})`, unused);
  }
  const used = new Set(rows.flatMap((row) => (row['used'] ? [row['name']] : [])));
  return keyIds.filter((id) => !used.has(id));
}

function listPlaceholders(values: readonly unknown[], firstNumber: number): string {
  return values.map((_, index) => `$${firstNumber + index}`).join(', ');
}
