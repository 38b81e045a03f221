import type { DatabaseLocation } from './location.ts';
import { migratePostgres } from './postgres/postgres.ts';
import { NO_WAIT } from './sqlite/lock.ts';
import { migrateSqlite } from './sqlite/sqlite.ts';
import { openSqliteFile } from './sqlite/sqlite-file.ts';

/**
 * Brings the tables up to date.
 *
 * @returns the names of the steps that were missing
 * @throws StartError if the database cannot be used, or is newer than this program
 */
export async function migrateAt(location: DatabaseLocation): Promise<string[]> {
  if (location.kind === 'postgres') return migratePostgres(location.url);
  let steps: string[] = [];
  const opened = await openSqliteFile(location.file, {
    wait: NO_WAIT,
    async prepare(sqlite) {
      steps = await migrateSqlite(sqlite, location.file);
    },
  });
  opened.close();
  return steps;
}
