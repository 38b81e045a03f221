import { join } from 'node:path';
import { openSqliteDatabase } from '../../../src/database/sqlite/sqlite.ts';
import { openSqliteHistory } from '../../../src/history/sqlite/sqlite-history.ts';
import { SqlRegistry } from '../../../src/registry/sql-registry.ts';
import type { HistoryUnderTest } from '../../contract/history-usage.contract.ts';
import { tempFolder } from '../temp-folder.ts';
import { KEEP } from './sample.ts';

export async function sqliteHistory(): Promise<HistoryUnderTest> {
  const folder = tempFolder();
  const recordsFile = join(folder.path, 'tollgate.db');
  const database = await openSqliteDatabase(recordsFile, 0);
  const file = join(folder.path, 'history.db');
  const history = await openSqliteHistory({ file, recordsFile, keep: KEEP, waitMs: 0 });
  return {
    history,
    registry: new SqlRegistry(database),
    async dispose() {
      await history.close();
      await database.close();
      folder.remove();
    },
  };
}
