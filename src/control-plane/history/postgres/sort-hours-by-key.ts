import { DAY_MS, HOUR_MS } from '../../../base/time.ts';
import { ALL_NAMES, usageTables } from '../../../storage/history-tables.ts';
import type { Retention } from '../store/retention.ts';
import { listKeySlices } from '../store/chunk-tables.ts';
import { findStart } from '../store/calendar.ts';
import type { PostgresConnections } from './postgres-connections.ts';

/**
 * Maximum number of days that one run processes, because there may be 90 days to process after an upgrade. The next run
 * follows in an hour.
 */
export const DAYS_PER_RUN = 7;
/** A day is not processed until this long after its end, because chunks may arrive late. */
const LATE_MS = HOUR_MS;

/** Name of the row in `claims` with the time up to which hours have been moved, in ms since the Unix epoch. */
const CLAIM = 'history.hours.clustered';

const READ_CLAIM = `SELECT at FROM claims WHERE name = '${CLAIM}'`;
const RAISE_CLAIM = `
  INSERT INTO claims (name, at) VALUES ('${CLAIM}', $1)
  ON CONFLICT (name) DO UPDATE SET at = greatest(claims.at, EXCLUDED.at)`;

const LOCK_HOURS = `SELECT pg_advisory_xact_lock(hashtextextended('tollgate:${CLAIM}', 0))`;

/** The statement sorts the rows, so it deletes all of them before it inserts the first one again. */
const MOVE_ROWS = `
  WITH moved AS (
    DELETE FROM ${usageTables.hour} WHERE operation_no = ${ALL_NAMES} AND outcome_no = ${ALL_NAMES} AND at >= $1 AND at < $2
      AND key_no IN (SELECT no FROM history_names WHERE no >= $3 AND no < $4) RETURNING *
  ) INSERT INTO ${usageTables.hour} SELECT * FROM moved ORDER BY key_no, at`;

/**
 * Moves the hours of finished days, so that the rows of a key are next to each other. Chunks add the rows of all keys
 * hour by hour, so each hour of a key is in a different page of the table, and a chart of 90 days would read 2,160
 * pages. Only the rows for all operations together are moved, because there are few, and charts read no other rows.
 * Each day is moved once, in small transactions. If several gateways do this at the same time, or if a run is
 * interrupted, work is repeated, but nothing is lost.
 */
export async function clusterHours(connections: PostgresConnections, keep: Retention, now: number): Promise<void> {
  const [claim] = await connections.rows(READ_CLAIM, []);
  const oldest = findStart('day', now - keep.hours);
  const from = Math.max(oldest, Number(claim?.['at'] ?? oldest));
  const end = Math.min(findStart('day', now - LATE_MS), from + DAYS_PER_RUN * DAY_MS);
  if (from >= end) return;
  const slices = await listKeySlices(connections);
  for (let day = from; day < end; day += DAY_MS) {
    for (const slice of slices) {
      await runAlone(connections, MOVE_ROWS, [day, day + DAY_MS, slice.from, slice.to]);
    }
    await connections.run(RAISE_CLAIM, [day + DAY_MS]);
  }
}

/**
 * Runs a statement while no hours are being moved. If hours were being moved, a statement that deletes hours would miss
 * the rows that are inserted again after it began.
 *
 * @returns the number of changed rows
 */
export function runAlone(connections: PostgresConnections, text: string, values: readonly unknown[]): Promise<number> {
  return connections.runTransaction(async (client) => {
    await client.query(LOCK_HOURS, []);
    return (await client.query(text, values)).rowCount ?? 0;
  });
}
