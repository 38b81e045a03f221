import type { DatabaseLocation } from './location.ts';
import { migratePostgres } from './postgres.ts';
import { migrateSqlite } from './sqlite.ts';
import { openSqliteFile } from './sqlite-file.ts';

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
    waitMs: 0,
    async prepare(sqlite) {
      steps = await migrateSqlite(sqlite, location.file);
    },
  });
  opened.close();
  return steps;
}
