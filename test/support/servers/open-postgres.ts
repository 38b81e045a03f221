import type { Logger } from 'pino';
import type { Database } from '../../../src/storage/database.ts';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { until } from '../until.ts';

/**
 * Opens a database and waits until its tables exist, which takes a moment on a slow machine. A gateway would begin
 * before.
 */
export async function openReadyPostgres(url: string, logger: Logger): Promise<Database> {
  const database = await openPostgresDatabase(url, logger);
  await until(() => database.state() === 'up');
  return database;
}
