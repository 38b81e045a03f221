import { INTERVAL_LENGTHS } from '../store/calendar.ts';
import { STORED_RESOLUTIONS } from '../store/period.ts';
import { ALL_NAMES, usageTables } from '../../../storage/history-tables.ts';
import type { Reader } from './reader.ts';

const OLDEST_COLUMNS = STORED_RESOLUTIONS.map((every) => {
  // Each subquery is a lookup in the primary key.
  const where =
    every === 'minute'
      ? ''
      : `WHERE key_no = ${ALL_NAMES} AND operation_no = ${ALL_NAMES} AND outcome_no = ${ALL_NAMES}`;
  return `(SELECT min(at) FROM ${usageTables[every]} ${where}) AS ${every}`;
});

/**
 * Reads the start of the oldest count over all keys, as precisely as it is still stored: as a minute, hour or day.
 * Nothing is known about the time before. Null: nothing has been counted.
 */
export async function readCountedSince(reader: Reader): Promise<number | null> {
  const [oldest] = await reader.rows(`SELECT ${OLDEST_COLUMNS.join(', ')}`, []);
  return STORED_RESOLUTIONS.toReversed().reduce<number | null>((since, every) => {
    const at = oldest?.[every];
    if (at === null || at === undefined) return since;
    // Finer counts are deleted earlier, so the oldest finer count may be newer than the oldest coarser interval. It is
    // more precise only if it lies within that interval.
    return since === null || Number(at) < since + findCoarserLength(every) ? Number(at) : since;
  }, null);
}

function findCoarserLength(every: keyof typeof INTERVAL_LENGTHS): number {
  return every === 'minute' ? INTERVAL_LENGTHS.hour : INTERVAL_LENGTHS.day;
}
