import type { Logger } from 'pino';
import type { Database } from './database.ts';
import type { DatabaseLocation } from './location.ts';
import { openSqliteDatabase, type SqliteOptions } from './sqlite/sqlite.ts';

/**
 * Opens the records and brings their tables up to date. A PostgreSQL that does not answer yet is opened anyway; until
 * it answers, every call is rejected with `StoreUnavailable`.
 *
 * The client of PostgreSQL is loaded only where it is needed: a start is quick.
 *
 * @throws StartError if it can't be used
 */
export async function openDatabase(
  location: DatabaseLocation,
  logger: Logger,
  options?: SqliteOptions,
): Promise<Database> {
  if (location.kind === 'postgres') {
    const { openPostgresDatabase } = await import('./postgres/postgres.ts');
    return openPostgresDatabase(location.url, logger);
  }
  return openSqliteDatabase(location.file, options);
}
