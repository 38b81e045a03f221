import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openReadyPostgres } from '../../support/servers/open-postgres.ts';
import { eventsContract } from '../../contract/events.contract.ts';
import { startPostgresProxy } from '../../support/servers/postgres-proxy.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';

/** A port on which nothing listens. */
const NOWHERE = 1;

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

eventsContract('PostgreSQL', async () => {
  const proxy = await startPostgresProxy(postgres.port);
  const url = await postgres.borrowDatabase();
  const database = await openReadyPostgres(proxy.through(url), pino({ level: 'silent' }));
  return {
    database,
    takeAway: () => proxy.redirectTo(NOWHERE),
    bringBack: () => proxy.redirectTo(postgres.port),
    async dispose() {
      await database.close();
      proxy.stop();
      await postgres.releaseDatabase(url);
    },
  };
});
