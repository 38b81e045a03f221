import { DAY_MS, HOUR_MS } from '../../../base/time.ts';
import { ALL, usageTables } from '../../../storage/history-tables.ts';
import type { Retention } from '../store/retention.ts';
import { keySlices } from '../store/chunk-tables.ts';
import { startOf } from '../store/calendar.ts';
import type { PostgresConnections } from './postgres-connections.ts';

/** Limits the work of one run: after an upgrade there may be 90 days to process, and the next run is in an hour. */
export const DAYS_PER_RUN = 7;
/** A day is left alone for this long after its end, because chunks may be late. */
const LATE_MS = HOUR_MS;

/** In `claims`: up to when it is done, in ms since the Unix epoch. */
const CLAIM = 'history.hours.clustered';

const READ_CLAIM = `SELECT at FROM claims WHERE name = '${CLAIM}'`;
const RAISE_CLAIM = `
  INSERT INTO claims (name, at) VALUES ('${CLAIM}', $1)
  ON CONFLICT (name) DO UPDATE SET at = greatest(claims.at, EXCLUDED.at)`;

const LOCK_HOURS = `SELECT pg_advisory_xact_lock(hashtextextended('tollgate:${CLAIM}', 0))`;

/** Sorting makes it delete all rows before it inserts the first one again. */
const MOVE_ROWS = `
  WITH moved AS (
    DELETE FROM ${usageTables.hour} WHERE operation_no = ${ALL} AND outcome_no = ${ALL} AND at >= $1 AND at < $2
      AND key_no IN (SELECT no FROM history_names WHERE no >= $3 AND no < $4) RETURNING *
  ) INSERT INTO ${usageTables.hour} SELECT * FROM moved ORDER BY key_no, at`;

/**
 * Puts the hours of finished days together by key. Chunks add the rows of all keys hour by hour, so each hour of a key
 * is in another page of the table: a chart of 90 days would read 2,160 pages. Only the rows for all operations together
 * are moved: they are few, and what charts read. Each day is moved once, in small transactions; gateways that do it at
 * the same time, or a run that was interrupted, only repeat work.
 */
export async function clusterHours(connections: PostgresConnections, keep: Retention, now: number): Promise<void> {
  const [claim] = await connections.rows(READ_CLAIM, []);
  const oldest = startOf('day', now - keep.hours);
  const from = Math.max(oldest, Number(claim?.['at'] ?? oldest));
  const end = Math.min(startOf('day', now - LATE_MS), from + DAYS_PER_RUN * DAY_MS);
  if (from >= end) return;
  const slices = await keySlices(connections);
  for (let day = from; day < end; day += DAY_MS) {
    for (const slice of slices) {
      await runAlone(connections, MOVE_ROWS, [day, day + DAY_MS, slice.from, slice.to]);
    }
    await connections.run(RAISE_CLAIM, [day + DAY_MS]);
  }
}

/**
 * Runs a statement while no hours are being moved: a statement that deletes hours would not see those that are inserted
 * again after it began.
 *
 * @returns the number of changed rows
 */
export function runAlone(connections: PostgresConnections, text: string, values: readonly unknown[]): Promise<number> {
  return connections.transaction(async (client) => {
    await client.query(LOCK_HOURS, []);
    return (await client.query(text, values)).rowCount ?? 0;
  });
}
