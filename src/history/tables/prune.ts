import { usageTables } from '../../database/tables/history-tables.ts';
import { type Keep, REFUSALS_KEPT_MS, WRITERS_KEPT_MS } from './keep.ts';
import { keySlices } from './key-slices.ts';
import type { Statements } from './statements.ts';
import { monthOf } from './times.ts';

const MINUTE_SLICE = `DELETE FROM ${usageTables.minute} WHERE at = (SELECT min(at) FROM ${usageTables.minute} WHERE at < $1)`;
const MONTH_SLICE = `DELETE FROM usage_months WHERE month = (SELECT min(month) FROM usage_months WHERE month < $1)`;
const REFUSALS_SLICE = `
  DELETE FROM refusals WHERE (request_id, quota_id, at) IN (
    SELECT request_id, quota_id, at FROM refusals WHERE at < $1 ORDER BY at LIMIT 1000)`;

/** Deletes what is older than is kept, in small transactions. @returns the number of rows deleted */
export async function prune(statements: Statements, keep: Keep, now: number): Promise<number> {
  const daysBefore = now - keep.days;
  return (
    (await untilDone(statements, MINUTE_SLICE, now - keep.minutes)) +
    (await pruneByKey(statements, usageTables.hour, now - keep.hours)) +
    (await pruneByKey(statements, usageTables.day, daysBefore)) +
    (await untilDone(statements, MONTH_SLICE, monthOf(daysBefore))) +
    (await untilDone(statements, REFUSALS_SLICE, now - REFUSALS_KEPT_MS)) +
    (await statements.run('DELETE FROM history_writers WHERE at < $1', [Date.now() - WRITERS_KEPT_MS]))
  );
}

async function untilDone(statements: Statements, slice: string, before: number): Promise<number> {
  let total = 0;
  for (let deleted; deleted !== 0; total += deleted) deleted = await statements.run(slice, [before]);
  return total;
}

/** Hours and days are stored by key first: looking into each key for old rows needs no index by time. */
async function pruneByKey(statements: Statements, table: string, before: number): Promise<number> {
  let total = 0;
  for (const { from, to } of await keySlices(statements)) {
    total += await statements.run(
      `DELETE FROM ${table} WHERE at < $3 AND key_no IN (SELECT no FROM history_names WHERE no >= $1 AND no < $2)`,
      [from, to, before],
    );
  }
  return total;
}
