import { afterAll, beforeAll } from '@jest/globals';
import { historyReadingContract } from '../../../contract/history-reading.contract.ts';
import { historyUsageContract } from '../../../contract/history-usage.contract.ts';
import { postgresHistoryDatabase } from '../../../support/history/history-database.ts';
import { PostgresServer } from '../../../support/servers/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

historyUsageContract('PostgreSQL', () => postgresHistoryDatabase(server));
historyReadingContract('PostgreSQL', () => postgresHistoryDatabase(server));
