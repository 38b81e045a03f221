import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { openReadyPostgres } from '../../support/servers/open-postgres.ts';
import type { Database } from '../../../src/storage/database.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { registryContract } from '../../contract/registry.contract.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

registryContract('PostgreSQL', async () => {
  const url = await postgres.borrowDatabase();
  const opened: Database[] = [];
  const open = async () => {
    const database = await openReadyPostgres(url, pino({ level: 'silent' }));
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
      await postgres.releaseDatabase(url);
    },
  };
});
