import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { eventsContract } from '../../contract/events.contract.ts';
import { startPostgresProxy } from '../../support/servers/postgres-proxy.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

/** A port without a listener. */
const NOWHERE = 1;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

eventsContract('PostgreSQL', async () => {
  const proxy = await startPostgresProxy(server.port);
  const borrowed = await server.borrowDatabase();
  const url = borrowed.replace(`:${server.port}/`, `:${proxy.port}/`);
  const database = await openPostgresDatabase(url, pino({ level: 'silent' }));
  return {
    database,
    takeAway: () => proxy.redirectTo(NOWHERE),
    bringBack: () => proxy.redirectTo(server.port),
    async dispose() {
      await database.close();
      proxy.stop();
      await server.releaseDatabase(borrowed);
    },
  };
});
