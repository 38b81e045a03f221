import type { DatabaseLocation } from './location.ts';
import { migratePostgres } from './postgres/postgres.ts';
import { openMigrated } from './sqlite/sqlite.ts';

/**
 * Brings the tables up to date.
 *
 * @returns the names of the steps that were missing
 * @throws StartError if the database cannot be used, or is newer than this program
 */
export async function migrateAt(location: DatabaseLocation, dataDir: string): Promise<string[]> {
  if (location.kind === 'postgres') return migratePostgres(location.url);
  const { opened, steps } = await openMigrated(location.file, { dataDir });
  opened.close();
  return steps;
}
