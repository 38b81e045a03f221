import { join } from 'node:path';
import { openSqliteHistory } from '../../../src/control-plane/history/sqlite/sqlite-history.ts';
import { HISTORY_FILE } from '../../../src/storage/history-tables.ts';
import { addCounts, type CountsOver } from './counts.ts';
import { keep } from './history-database.ts';

const HOUR_MS = 3_600_000;
const HOURS = 14 * 24;
/** The longest interval of a report below one day. */
const SIX_HOURS_MS = 6 * HOUR_MS;
const OPERATIONS = ['listPets', 'getPet', 'getInventory'];

/** The number of requests in an hour. It follows a daily curve and grows over time. */
function countRequests(hour: number): number {
  return 40 + Math.round(30 * Math.sin((hour / 12) * Math.PI)) + Math.floor(hour / 24);
}

/**
 * Fills the history of a gateway on SQLite with hourly counts. They cover two weeks, begin at a six-hour interval, and
 * end with the hour of `nowMs`. One request in eight is refused, and one in twenty fails.
 *
 * @param keyIds callers, most frequent first
 * @returns the start of the first hour
 */
export async function fillTwoWeeks(dataDir: string, keyIds: readonly string[], nowMs: number): Promise<number> {
  const file = join(dataDir, HISTORY_FILE);
  const recordsFile = join(dataDir, 'tollgate.db');
  const history = await openSqliteHistory({ file, recordsFile, keep, wait: { limitMs: 5000, onWait() {} } });
  const firstMs = Math.floor((nowMs - HOURS * HOUR_MS) / SIX_HOURS_MS) * SIX_HOURS_MS;
  try {
    for (let hour = 0; firstMs + hour * HOUR_MS <= nowMs; hour++) {
      const rows = keyIds.flatMap((keyId, index) => createHour(hour, firstMs + hour * HOUR_MS, keyId, index));
      // oxlint-disable-next-line no-await-in-loop -- each call is a transaction
      await addCounts(history, ...rows);
    }
  } finally {
    await history.close();
  }
  return firstMs;
}

function createHour(hour: number, minute: number, keyId: string, index: number): CountsOver[] {
  const requests = Math.max(1, Math.floor(countRequests(hour) / (index + 1)));
  const [refused, failed] = [Math.floor(requests / 8), Math.floor(requests / 20)];
  const row = { minute, keyId, operation: OPERATIONS[(hour + index) % OPERATIONS.length] ?? null };
  const served = requests - refused - failed;
  const slow = Math.ceil(served / 10);
  const rows: CountsOver[] = [
    { ...row, requests: served - slow, durationMs: 12 + (hour % 7) },
    { ...row, requests: slow, durationMs: 80 + 4 * (hour % 24) },
    { ...row, requests: refused, outcome: 'rate_limit_exceeded', statusClass: 4, durationMs: 0.3 },
    { ...row, requests: failed, statusClass: 5, durationMs: 400 },
  ];
  return rows.filter(({ requests: counted }) => (counted ?? 0) > 0);
}
