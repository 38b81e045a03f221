import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/error-types.ts';
import { COUNTERS_FILE } from './counters.ts';
import { HISTORY_FILE } from './history-tables.ts';

/**
 * Refuses to create new records where there were some: the gateway would refuse every key, and nothing would say why.
 * Counters and history get their files only after the records have their tables, so these files distinguish a lost
 * database from a first start, even from an interrupted one. Call it before opening the file: with an empty database,
 * SQLite deletes its `-wal`.
 *
 * @param dataDir folder of counters and history
 * @throws StartError
 */
export function refuseLostFile(file: string, dataDir: string): void {
  const size = readSize(file);
  const left = leftIn(dataDir, `${file}-wal`);
  if (size === 0) refuse(`${file} is empty`, left);
  if (size === null) refuse(`${file} is missing`, left);
}

/** Like `refuseLostFile`, for an open file. Its `-wal` may be from an interrupted first start. */
export function refuseLostTables(sqlite: DatabaseSync, file: string, dataDir: string): void {
  const hasTables = sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  if (!hasTables) refuse(`${file} has no tables`, leftIn(dataDir));
}

function leftIn(dataDir: string, ...others: readonly string[]): string[] {
  const files = [...others, join(dataDir, COUNTERS_FILE), join(dataDir, HISTORY_FILE)];
  return files.filter((file) => (readSize(file) ?? 0) > 0);
}

function refuse(what: string, left: readonly string[]): void {
  if (left.length === 0) return;
  throw new StartError(
    `database ${what}, but ${left.join(', ')} from the same installation ${left.length === 1 ? 'is' : 'are'} still there. Check its path and ` +
      'that its volume is mounted, or restore it from a backup (docs/operators/backup.md). To start with an empty ' +
      `database and lose all keys, move ${left.length === 1 ? 'that file' : 'those files'} out of the data directory`,
  );
}

/** Null if there is no such file. */
function readSize(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
