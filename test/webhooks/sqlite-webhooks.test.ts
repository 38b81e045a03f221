import { openSqliteDatabase } from '../../src/database/sqlite/sqlite.ts';
import { join } from 'node:path';
import { type DatabasesUnderTest, webhooksContract } from '../contract/webhooks.contract.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function make(): Promise<DatabasesUnderTest> {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'), 0);
  return {
    database,
    beside: database,
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
}

webhooksContract('SQLite', make);
