import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../../../src/storage/sqlite.ts';
import type { Database } from '../../../../src/storage/database.ts';
import { type PlanWatch, watchPlans } from '../../../../src/control-plane/registry/plan-warnings.ts';
import { Registry } from '../../../../src/control-plane/registry/registry.ts';
import { captureLog } from '../../../support/log-lines.ts';
import { free, pro } from '../../../support/registry-data.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const change = { actor: 'ops', reason: null, at: 0 };
const named = [{ setting: 'portal.plan', plan: 'pro', otherwise: 'sign-up is disabled' }];

let folder: ReturnType<typeof tempFolder>;
let database: Database;
let registry: Registry;
let watch: PlanWatch;
let routes: { operation: { id: string; tags: string[] } }[];
let log: ReturnType<typeof captureLog>;

beforeEach(async () => {
  folder = tempFolder();
  database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  registry = new Registry(database);
  await registry.seedPlans([free, pro], change);
  log = captureLog();
  routes = [{ operation: { id: 'getPet', tags: ['pets'] } }];
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  watch = watchPlans({ registry, getNamedPlans: () => named, getRoutes: () => routes, logger: log.logger });
});
afterEach(async () => {
  watch.stop();
  jest.useRealTimers();
  await database.close();
  folder.remove();
});

/**
 * Advances the clock to the next check of the plans.
 *
 * @returns the log lines of the check
 */
async function nextCheck(): Promise<unknown[]> {
  log.lines.length = 0;
  await jest.advanceTimersByTimeAsync(5000);
  // This query is queued behind the check in the database, so the check has ended when it returns.
  await registry.listPlans();
  return log.lines.map(({ level, msg, warning }) => [level, warning ?? msg]);
}

test('a plan that a setting names causes one warning when it is deleted, and one when it becomes custom', async () => {
  expect(await nextCheck()).toEqual([]);
  await registry.deletePlan('pro', change);
  expect(await nextCheck()).toEqual([
    [40, expect.stringMatching(/^portal\.plan names the plan pro, which does not exist/)],
  ]);
  expect(await nextCheck()).toEqual([]);
  await registry.putPlan(pro, change);
  expect(await nextCheck()).toEqual([]);
  await registry.putPlan({ ...pro, custom: true, limits: null }, change);
  expect(await nextCheck()).toEqual([[40, expect.stringContaining('which is custom')]]);
});

test('a selector of a plan that matches no operation causes one warning, and another after a reload', async () => {
  await registry.putPlan({ ...pro, operations: ['tag:pets', 'getOrder'] }, change);
  routes = [...routes];
  expect(await nextCheck()).toEqual([[40, 'a selector matches no operation']]);
  expect(log.lines.at(-1)).toMatchObject({ subject: 'plan pro', selectors: ['getOrder'] });
  expect(await nextCheck()).toEqual([]);
  routes = [{ operation: { id: 'getOrder', tags: [] } }];
  await nextCheck();
  expect(log.lines.at(-1)).toMatchObject({ subject: 'plan pro', selectors: ['tag:pets'] });
});

test('a database without plans causes one error instead of a warning for each plan that a setting names', async () => {
  for (const { id } of [free, pro]) await registry.deletePlan(id, change);
  expect(await nextCheck()).toEqual([[50, expect.stringMatching(/^all plans are missing in the database/)]]);
  expect(watch.arePlansLost()).toBe(true);
  await registry.putPlan(free, change);
  const [back, warning] = await nextCheck();
  expect(back).toEqual([30, 'the database has plans again']);
  expect(warning).toEqual([40, expect.stringContaining('portal.plan names')]);
  expect(watch.arePlansLost()).toBe(false);
});
