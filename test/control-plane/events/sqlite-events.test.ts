import { join } from 'node:path';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { eventsContract } from '../../contract/events.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

eventsContract('SQLite', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    database,
    takeAway: () => database.sqlite.exec('PRAGMA query_only = ON'),
    bringBack: () => database.sqlite.exec('PRAGMA query_only = OFF'),
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
});
