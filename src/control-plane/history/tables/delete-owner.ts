import { usageTables } from '../../../storage/history-tables.ts';
import type { Deleted } from '../history-store.ts';
import type { Statements } from './statements.ts';

/** In tables that are stored by time first: found by a look-up for each time, rather than by reading them whole. */
function byTime(table: string, time: string): string {
  return `
    WITH RECURSIVE times (time) AS (
      SELECT min(${time}) FROM ${table}
      UNION ALL SELECT (SELECT min(${time}) FROM ${table} WHERE ${time} > times.time) FROM times WHERE time IS NOT NULL
    ) DELETE FROM ${table} WHERE key_no = $1 AND ${time} IN (SELECT time FROM times)`;
}

const DELETE_KEY = [
  byTime(usageTables.minute, 'at'),
  `DELETE FROM ${usageTables.hour} WHERE key_no = $1`,
  `DELETE FROM ${usageTables.day} WHERE key_no = $1`,
  byTime('usage_months', 'month'),
  'DELETE FROM audience WHERE key_no = $1',
  'DELETE FROM refusals WHERE key_no = $1',
];

/** Deletes all rows of the keys that an owner has, key by key: if interrupted, it can be repeated. */
export async function deleteOwner(statements: Statements, owner: string): Promise<Deleted> {
  const keys = await statements.rows(
    'SELECT no FROM keys LEFT JOIN history_names ON history_names.name = keys.id WHERE keys.owner = $1',
    [owner],
  );
  let rows = 0;
  for (const { no } of keys) {
    // A key that has never called has no number.
    if (no === null) continue;
    for (const text of DELETE_KEY) rows += await statements.run(text, [Number(no)]);
  }
  return { keys: keys.length, rows };
}
