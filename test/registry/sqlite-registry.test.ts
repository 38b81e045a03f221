import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/admission/store.ts';
import { SqliteRegistry } from '../../src/registry/sqlite-registry.ts';
import { openEmbedded } from '../../src/storage/database.ts';
import { registryContract } from '../contract/registry.contract.ts';
import { free, newKey } from '../support/registry-data.ts';
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

const change = { actor: 'test', reason: null, at: 1 };

test('a database that takes no writes is unavailable, and is none the worse for it', async () => {
  const folder = tempFolder();
  const database = await openEmbedded(join(folder.path, 'tollgate.db'), 0);
  const registry = new SqliteRegistry(database);
  await registry.seedPlans([free], change);
  const key = newKey();

  database.sqlite.exec('PRAGMA query_only = ON');
  await expect(registry.createKey(key, change)).rejects.toThrow(StoreUnavailable);
  expect(await registry.getPlan('free')).toMatchObject(free);
  database.sqlite.exec('PRAGMA query_only = OFF');
  expect(await registry.createKey(key, change)).toMatchObject(key);

  database.close();
  folder.remove();
});

test('uses of many keys are noted, all of them', async () => {
  const folder = tempFolder();
  const database = await openEmbedded(join(folder.path, 'tollgate.db'), 0);
  const registry = new SqliteRegistry(database);
  await registry.seedPlans([free], change);
  const keys = Array.from({ length: 2500 }, () => newKey());
  await registry.createKeys(keys, change);

  await registry.touchKeys(new Map(keys.map(({ id }) => [id, 60_000])));
  const untouched = database.sqlite.prepare('SELECT count(*) AS n FROM keys WHERE last_used_at IS NULL').get();
  expect(untouched).toEqual({ n: 0 });

  database.close();
  folder.remove();
});
