import type { Logger } from 'pino';
import type { Database } from '../../../src/storage/database.ts';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { until } from '../until.ts';

/** Opens a database that can be used at once. A gateway on a slow machine would begin before its tables are there. */
export async function openReadyPostgres(url: string, logger: Logger): Promise<Database> {
  const database = await openPostgresDatabase(url, logger);
  await until(() => database.state() === 'up');
  return database;
}
