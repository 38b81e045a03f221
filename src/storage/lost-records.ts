import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/error-types.ts';
import { COUNTERS_FILE } from './counters.ts';
import { HISTORY_FILE } from './history-tables.ts';

/**
 * Refuses to create a new database in place of a lost one. Otherwise, the gateway would refuse every key without saying
 * why. The files of counters and history are created only after the tables of the records. So if these files exist
 * without the records, the database was lost. At a first start, even an interrupted one, they do not exist. Call this
 * before opening the file, because SQLite deletes the `-wal` of an empty database.
 *
 * @param dataDir the folder of counters and history
 * @throws StartError
 */
export function refuseLostFile(file: string, dataDir: string): void {
  const size = readSize(file);
  const remains = findRemains(dataDir, `${file}-wal`);
  if (size === 0) refuse(`${file} is empty`, remains);
  if (size === null) refuse(`${file} is missing`, remains);
}

/**
 * Like `refuseLostFile`, for an open database without tables. Its `-wal` proves nothing, because it may be from an
 * interrupted first start.
 */
export function refuseLostTables(sqlite: DatabaseSync, file: string, dataDir: string): void {
  const hasTables = sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  if (!hasTables) refuse(`${file} has no tables`, findRemains(dataDir));
}

function findRemains(dataDir: string, ...otherFiles: readonly string[]): string[] {
  const files = [...otherFiles, join(dataDir, COUNTERS_FILE), join(dataDir, HISTORY_FILE)];
  return files.filter((file) => (readSize(file) ?? 0) > 0);
}

function refuse(problem: string, remains: readonly string[]): void {
  if (remains.length === 0) return;
  throw new StartError(
    `database ${problem}, but ${remains.join(', ')} from the same installation ${remains.length === 1 ? 'is' : 'are'} still there. Check its path and ` +
      'that its volume is mounted, or restore it from a backup (docs/operators/backup.md). To start with an empty ' +
      `database and lose all keys, move ${remains.length === 1 ? 'that file' : 'those files'} out of the data directory`,
  );
}

/** The size of a file in bytes; null if there is no such file. */
function readSize(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
