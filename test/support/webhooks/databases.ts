import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import type { DatabasesUnderTest } from '../../contract/webhooks/webhooks.contract.ts';
import { PostgresServer } from '../servers/postgres-server.ts';
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
 * Starts a PostgreSQL server for the test file. @returns a function that creates a database with the connections of two
 * gateways
 */
export function postgresDatabases(): () => Promise<DatabasesUnderTest> {
  const logger = pino({ level: 'silent' });
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.stop());

  return async function makePostgres() {
    const url = await server.borrowDatabase();
    const [database, peer] = [await openPostgresDatabase(url, logger), await openPostgresDatabase(url, logger)];
    return {
      database,
      peer,
      async dispose() {
        await Promise.all([database.close(), peer.close()]);
        await server.releaseDatabase(url);
      },
    };
  };
}
