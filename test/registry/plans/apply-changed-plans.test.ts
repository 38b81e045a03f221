import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { Database } from '../../../src/database/database.ts';
import { openSqliteDatabase } from '../../../src/database/sqlite/sqlite.ts';
import { applyChangedPlans } from '../../../src/registry/plans/apply-changed-plans.ts';
import { SqlRegistry } from '../../../src/registry/sql-registry.ts';
import { free, pro } from '../../support/registry-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const change = { actor: 'ops', reason: null, at: 0 };
const other = { ...free, name: 'Other' };

let folder: ReturnType<typeof tempFolder>;
let database: Database;
let registry: SqlRegistry;

beforeEach(async () => {
  folder = tempFolder();
  database = await openSqliteDatabase(join(folder.path, 'tollgate.db'), 0);
  registry = new SqlRegistry(database);
  await registry.seedPlans([free], change);
});
afterEach(async () => {
  await database.close();
  folder.remove();
});

test('gateways that are reloaded at the same time all succeed, and one of them writes', async () => {
  const files = { before: [free], read: [other, pro] };
  const reloads = Array.from({ length: 5 }, () => applyChangedPlans(registry, files, change));
  expect(await Promise.all(reloads)).toEqual(reloads.map(() => []));
  expect(await registry.getPlan('free')).toMatchObject({ name: 'Other' });
  const { items } = await registry.listAudit({ action: 'plan.put' }, { limit: 10 });
  expect(items.map(({ subject }) => subject).sort()).toEqual(['free', 'pro']);
});

test('a plan that an operator has changed or deleted stays as it is, and is told of', async () => {
  await registry.putPlan({ ...free, name: 'Mine' }, change);
  const [warning] = await applyChangedPlans(registry, { before: [free, pro], read: [other] }, change);
  expect(warning).toContain('plan free has changed in the file, but stays as it is, since an operator changed it');
  const deleted = await applyChangedPlans(registry, { before: [pro], read: [{ ...pro, name: 'P' }] }, change);
  expect(deleted).toEqual([expect.stringContaining('since an operator deleted it')]);
});
