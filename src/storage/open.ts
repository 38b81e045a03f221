import type { Logger } from 'pino';
import type { Database, DatabaseLocation } from './database.ts';
import { type MigrationResult, warnOfNewerSteps } from './migrations.ts';
import { openSqliteDatabase, type SqliteOptions, openMigrated } from './sqlite.ts';

/**
 * Opens the records and brings their tables up to date. If PostgreSQL is unavailable, this succeeds nevertheless. Calls
 * are then rejected with `StoreUnavailable` until PostgreSQL responds.
 *
 * The PostgreSQL client is loaded only if it is used, to keep the start fast.
 *
 * @throws StartError if the database cannot be used
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
  const database = await openSqliteDatabase(location.file, options);
  warnOfNewerSteps(logger, database.newerSteps);
  return database;
}

/**
 * Brings the tables up to date, and closes the database.
 *
 * @throws StartError if the database cannot be used, or is newer than this program
 */
export async function migrateAt(location: DatabaseLocation, dataDir: string): Promise<MigrationResult> {
  if (location.kind === 'postgres') {
    const { migratePostgres } = await import('./postgres.ts');
    return migratePostgres(location.url);
  }
  const { opened, migrated } = await openMigrated(location.file, { dataDir });
  opened.close();
  return migrated;
}
