import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import type { Database } from '../../../src/storage/database.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { registryContract } from '../../contract/registry.contract.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

registryContract('PostgreSQL', async () => {
  const url = await server.borrowDatabase();
  const opened: Database[] = [];
  const open = async () => {
    const database = await openPostgresDatabase(url, pino({ level: 'silent' }));
    opened.push(database);
    return new Registry(database);
  };
  const registry = await open();
  return {
    registry,
    database: opened[0]!,
    peer: open,
    reopen: open,
    async dispose() {
      await Promise.all(opened.map((database) => database.close()));
      await server.releaseDatabase(url);
    },
  };
});
