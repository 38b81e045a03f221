import { afterAll, beforeAll } from '@jest/globals';
import { historyUsageContract } from '../../contract/history-usage.contract.ts';
import { postgresHistory } from '../../support/history/postgres-history.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

historyUsageContract('PostgreSQL', async () => postgresHistory(await server.createDatabase()));
