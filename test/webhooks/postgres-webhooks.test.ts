import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../src/database/postgres/postgres.ts';
import { type DatabasesUnderTest, webhooksContract } from '../contract/webhooks.contract.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';

const logger = pino({ level: 'silent' });

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

async function make(): Promise<DatabasesUnderTest> {
  const url = await server.createDatabase();
  const [database, beside] = [await openPostgresDatabase(url, logger), await openPostgresDatabase(url, logger)];
  return {
    database,
    beside,
    async dispose() {
      await Promise.all([database.close(), beside.close()]);
    },
  };
}

webhooksContract('PostgreSQL', make);
