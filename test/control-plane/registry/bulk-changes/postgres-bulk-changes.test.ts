import { pino } from 'pino';
import { openReadyPostgres } from '../../../support/servers/open-postgres.ts';
import { bulkChangesContract } from '../../../contract/bulk-changes.contract.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';

bulkChangesContract('PostgreSQL', async () => {
  const postgres = await sharedPostgres();
  const database = await openReadyPostgres(await postgres.borrowDatabase(), pino({ level: 'silent' }));
  return {
    database,
    async close() {
      await database.close();
      await postgres.dropDatabases();
    },
  };
});
