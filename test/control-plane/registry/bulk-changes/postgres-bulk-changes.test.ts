import { pino } from 'pino';
import { openPostgresDatabase } from '../../../../src/storage/postgres.ts';
import { bulkChangesContract } from '../../../contract/bulk-changes.contract.ts';
import { PostgresServer } from '../../../support/servers/postgres-server.ts';

bulkChangesContract('PostgreSQL', async () => {
  const server = await PostgresServer.start();
  const database = await openPostgresDatabase(await server.createDatabase(), pino({ level: 'silent' }));
  return {
    database,
    async close() {
      await database.close();
      await server.stop();
    },
  };
});
