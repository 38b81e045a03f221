import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openReadyPostgres } from '../servers/open-postgres.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import type { DatabasesUnderTest } from '../../contract/webhooks/webhooks.contract.ts';
import type { PostgresDatabases } from '../servers/postgres-databases.ts';
import { sharedPostgres } from '../servers/shared-servers.ts';
import { tempFolder } from '../temp-folder.ts';

export async function makeSqlite(): Promise<DatabasesUnderTest> {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    database,
    peer: database,
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
}

/**
 * Declares hooks that provide a database to each test.
 *
 * @returns a function that provides the database, with the connections of two gateways
 */
export function postgresDatabases(): () => Promise<DatabasesUnderTest> {
  const logger = pino({ level: 'silent' });
  let postgres: PostgresDatabases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  afterAll(() => postgres.dropDatabases());

  return async function makePostgres() {
    const url = await postgres.borrowDatabase();
    const [database, peer] = [await openReadyPostgres(url, logger), await openReadyPostgres(url, logger)];
    return {
      database,
      peer,
      async dispose() {
        await Promise.all([database.close(), peer.close()]);
        await postgres.releaseDatabase(url);
      },
    };
  };
}
