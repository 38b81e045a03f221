import { join } from 'node:path';
import { SqliteRegistry } from '../../src/registry/sqlite-registry.ts';
import { openEmbedded } from '../../src/storage/database.ts';
import { registryContract } from '../contract/registry.contract.ts';
import { tempFolder } from '../support/temp-folder.ts';

registryContract('sqlite', async () => {
  const folder = tempFolder();
  const file = join(folder.path, 'tollgate.db');
  let database = await openEmbedded(file, 0);
  return {
    registry: new SqliteRegistry(database),
    beside: async () => new SqliteRegistry(database),
    async reopen() {
      database.close();
      database = await openEmbedded(file, 0);
      return new SqliteRegistry(database);
    },
    async dispose() {
      database.close();
      folder.remove();
    },
  };
});
