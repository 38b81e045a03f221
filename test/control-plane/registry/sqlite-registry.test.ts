import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { auditQuery } from '../../../src/control-plane/registry/audit-log.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { registryContract } from '../../contract/registry.contract.ts';
import { free, newKey } from '../../support/registry-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';

registryContract('SQLite', async () => {
  const folder = tempFolder();
  const file = join(folder.path, 'tollgate.db');
  let database = await openSqliteDatabase(file);
  return {
    registry: new Registry(database),
    database,
    beside: async () => new Registry(database),
    async reopen() {
      await database.close();
      database = await openSqliteDatabase(file);
      return new Registry(database);
    },
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
});

const change = { actor: 'test', reason: null, at: 1 };

test('a read-only database is unavailable, and recovers', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const key = newKey();

  database.sqlite.exec('PRAGMA query_only = ON');
  await expect(registry.createKey(key, change)).rejects.toThrow(StoreUnavailable);
  expect(await registry.getPlan('free')).toMatchObject(free);
  database.sqlite.exec('PRAGMA query_only = OFF');
  expect(await registry.createKey(key, change)).toMatchObject(key);

  await database.close();
  folder.remove();
});

test('the last uses of many keys are all recorded', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const keys = Array.from({ length: 2500 }, () => newKey());
  await registry.createKeys(keys, change);

  await registry.touchKeys(new Map(keys.map(({ id }) => [id, 60_000])));
  const untouched = database.sqlite.prepare('SELECT count(*) AS n FROM keys WHERE last_used_at IS NULL').get();
  expect(untouched).toEqual({ n: 0 });

  await database.close();
  folder.remove();
});

test('a change of keys writes only the columns that change: the search index is left alone', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const keys = [newKey(), newKey()];
  await registry.createKeys(keys, change);
  database.sqlite.exec(`CREATE TRIGGER names_are_written AFTER UPDATE OF name ON keys
    BEGIN SELECT RAISE(ABORT, 'a name was written'); END`);

  const [first, second] = keys.map(({ id }) => id);
  expect(await registry.updateKey(first!, { status: 'disabled' }, change)).toMatchObject({ status: 'disabled' });
  const request = { action: 'disable', filter: { ids: [second!] }, seconds: null } as const;
  const one = await registry.bulk.start(request, { ids: [second!], targets: [second!] }, 'digest', change);
  expect(await registry.bulk.continue(one, change)).toMatchObject({ done: 1, changed: 1 });
  await expect(registry.updateKey(first!, { name: 'other' }, change)).rejects.toThrow('a name was written');

  await database.close();
  folder.remove();
});

test.each([
  [{ subject: 'key_1', action: 'ban.start' }],
  [{ subject: 'key_1', actor: 'admin' }],
  [{ subject: ['key_1', 'key_2'], action: 'ban.lift', actor: 'admin' }],
])('of %o, only the entries of the subject are read', async (filter) => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const compiled = await database.read(async (queries) => auditQuery(queries, filter, { limit: 1 }).compile());
  const plan = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${compiled.sql}`).all(...(compiled.parameters as string[]));
  expect(plan[0]).toMatchObject({ detail: expect.stringMatching(/^SEARCH audit USING INDEX audit_by_subject /) });
  await database.close();
  folder.remove();
});
