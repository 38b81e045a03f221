import { afterAll, beforeAll } from '@jest/globals';
import { historyReadingContract } from '../../../contract/history-reading.contract.ts';
import { historyUsageContract } from '../../../contract/history-usage.contract.ts';
import { postgresHistoryDatabase } from '../../../support/history/history-database.ts';
import type { PostgresDatabases } from '../../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

historyUsageContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
historyReadingContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
