import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/error-types.ts';
import { NO_WAIT, openSqliteFile, type SqliteFile } from './sqlite-file.ts';

export const COUNTERS_FILE = 'counters.db';
/**
 * The schema version of the file. A gateway refuses a file with a higher version, so do not raise it for a column that
 * older versions can ignore.
 */
const VERSION = 2;

/**
 * Opens the file of the embedded admission store. It is not the file of the records, because it is written
 * synchronously, so its writes would become part of any open transaction on the records.
 *
 * @throws StartError if the file cannot be used
 */
export function openCounters(file: string, wait = NO_WAIT): Promise<SqliteFile> {
  return openSqliteFile(file, {
    wait,
    prepare(sqlite) {
      const version = Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
      if (version > VERSION) {
        throw new StartError(
          `${file} was written by a newer version of Tollgate (schema ${version}): use that version`,
        );
      }
      sqlite.exec('BEGIN');
      createQuotasTable(sqlite);
      addMissingColumns(sqlite);
      sqlite.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
    },
  });
}

/** Columns that were added later, without a new version. */
const ADDED_COLUMNS = ['last_refused_at', 'month_start', 'month_end', 'month_used', 'month_refused_at'];

function addMissingColumns(sqlite: DatabaseSync): void {
  const existing = new Set(
    sqlite
      .prepare('PRAGMA table_info(quotas)')
      .all()
      .map(({ name }) => name),
  );
  for (const column of ADDED_COLUMNS) {
    if (!existing.has(column)) sqlite.exec(`ALTER TABLE quotas ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
  }
}

export function createQuotasTable(sqlite: DatabaseSync): void {
  sqlite.exec(`
    CREATE TABLE IF NOT EXISTS quotas (
      quota_id TEXT PRIMARY KEY,
      seen INTEGER NOT NULL,
      minute_start INTEGER NOT NULL,
      minute_used INTEGER NOT NULL,
      minute_refused_at INTEGER NOT NULL,
      day_start INTEGER NOT NULL,
      day_used INTEGER NOT NULL,
      day_refused_at INTEGER NOT NULL,
      strikes INTEGER NOT NULL,
      strikes_since INTEGER NOT NULL,
      shadow INTEGER NOT NULL,
      ban_from INTEGER NOT NULL,
      ban_until INTEGER NOT NULL,
      ban_level INTEGER NOT NULL,
      ban_manual INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`);
}
