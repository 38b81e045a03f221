import { afterAll, beforeAll } from '@jest/globals';
import { scheduleContract } from '../../contract/schedule.contract.ts';
import { endedKeysContract } from '../../contract/ended-keys.contract.ts';
import { quietRotationsContract } from '../../contract/quiet-rotations.contract.ts';
import { postgresHistoryDatabase } from '../../support/history/history-database.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

scheduleContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
quietRotationsContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
endedKeysContract('PostgreSQL', () => postgresHistoryDatabase(postgres));
