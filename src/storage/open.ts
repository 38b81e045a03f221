import type { Logger } from 'pino';
import type { Database, DatabaseLocation } from './database.ts';
import { openSqliteDatabase, type SqliteOptions, openMigrated } from './sqlite.ts';

/**
 * Opens the records and brings their tables up to date. A PostgreSQL that is unavailable is opened anyway; until it
 * answers, every call is rejected with `StoreUnavailable`.
 *
 * The PostgreSQL client is loaded only if it is used, to keep the start fast.
 *
 * @throws StartError if it can't be used
 */
export async function openDatabase(
  location: DatabaseLocation,
  logger: Logger,
  options?: SqliteOptions,
): Promise<Database> {
  if (location.kind === 'postgres') {
    const { openPostgresDatabase } = await import('./postgres.ts');
    return openPostgresDatabase(location.url, logger);
  }
  return openSqliteDatabase(location.file, options);
}

/**
 * Brings the tables up to date.
 *
 * @returns the names of the missing steps, now applied
 * @throws StartError if the database cannot be used, or is newer than this program
 */
export async function migrateAt(location: DatabaseLocation, dataDir: string): Promise<string[]> {
  if (location.kind === 'postgres') {
    const { migratePostgres } = await import('./postgres.ts');
    return migratePostgres(location.url);
  }
  const { opened, steps } = await openMigrated(location.file, { dataDir });
  opened.close();
  return steps;
}
