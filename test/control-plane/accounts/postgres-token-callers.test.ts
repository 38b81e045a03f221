import { afterAll, beforeAll } from '@jest/globals';
import { tokenCallersContract } from '../../contract/token-callers.contract.ts';
import { postgresHistoryDatabase } from '../../support/history/history-database.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

tokenCallersContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
