import { afterAll, beforeAll } from '@jest/globals';
import { scheduleContract } from '../../contract/schedule.contract.ts';
import { endedKeysContract } from '../../contract/ended-keys.contract.ts';
import { quietRotationsContract } from '../../contract/quiet-rotations.contract.ts';
import { postgresHistoryDatabase } from '../../support/history/history-database.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

scheduleContract('PostgreSQL', () => postgresHistoryDatabase(server));
quietRotationsContract('PostgreSQL', () => postgresHistoryDatabase(server));
endedKeysContract('PostgreSQL', () => postgresHistoryDatabase(server));
