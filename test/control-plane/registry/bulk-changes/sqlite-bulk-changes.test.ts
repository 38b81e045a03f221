import { join } from 'node:path';
import { openSqliteDatabase } from '../../../../src/storage/sqlite.ts';
import { bulkChangesContract } from '../../../contract/bulk-changes.contract.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

bulkChangesContract('SQLite', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  return {
    database,
    async close() {
      await database.close();
      folder.remove();
    },
  };
});
