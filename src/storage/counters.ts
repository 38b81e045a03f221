import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/error-types.ts';
import { NO_WAIT, openSqliteFile, type SqliteFile } from './sqlite-file.ts';

export const COUNTERS_FILE = 'counters.db';
const VERSION = 1;

/**
 * The file of the embedded admission store. Separate from the records, because it is written synchronously and its
 * writes would end up in their transactions.
 *
 * @throws StartError if the file cannot be used
 */
export function openCounters(file: string, wait = NO_WAIT): Promise<SqliteFile> {
  return openSqliteFile(file, {
    wait,
    prepare(sqlite) {
      createQuotas(sqlite);
      const version = Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
      if (version > VERSION) {
        throw new StartError(
          `${file} was written by a newer version of Tollgate (schema ${version}): use that version`,
        );
      }
      sqlite.exec(`PRAGMA user_version = ${VERSION}`);
    },
  });
}

export function createQuotas(sqlite: DatabaseSync): void {
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
