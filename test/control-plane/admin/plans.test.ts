import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { enterprise, free, pro } from '../../support/registry-data.ts';

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const gold = { id: 'gold', name: 'Gold', limits: { minute: 10, day: 100 } };

test('plans are listed by id, in pages', async () => {
  const all = (await admin.get('/v1/plans')).body;
  expect(all).toEqual({ items: [enterprise, free, pro], nextCursor: null });
  const first = (await admin.get('/v1/plans?limit=2')).body;
  await admin.delete('/v1/plans/free');
  await admin.post('/v1/plans', { ...gold, id: 'basic' });
  const second = (await admin.get(`/v1/plans?limit=2&cursor=${first.nextCursor}`)).body;
  expect([...first.items, ...second.items]).toEqual([enterprise, free, pro]);
  expectError(await admin.get('/v1/plans?cursor=cGxhbnM6%3D'), 400, 'validation_failed', '/query/cursor');
});

test('plans are listed with their number of keys on request', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push((await admin.post('/v1/keys', { name: 'a', owner: 'b', plan: 'free' })).body.id);
  await admin.delete(`/v1/keys/${ids[0]}`);
  const { items } = (await admin.get('/v1/plans?include=keys')).body;
  expect(items).toEqual([
    { ...enterprise, keys: 0, activeKeys: 0 },
    { ...free, keys: 2, activeKeys: 1 },
    { ...pro, keys: 0, activeKeys: 0 },
  ]);
});

test('a plan can be created, read, replaced and deleted, and each change is in the audit log', async () => {
  const created = await admin.post('/v1/plans', gold);
  expect(created.status).toBe(201);
  const defaults = {
    description: '',
    priceText: '',
    custom: false,
    mode: 'enforce',
    onStoreFailure: 'local',
    operations: null,
    concurrent: null,
  };
  expect(created.body).toEqual({ ...gold, ...defaults });
  expect(created.headers.get('location')).toBe('/v1/plans/gold');
  const read = await admin.get('/v1/plans/gold');
  expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, created.body, created.headers.get('etag')]);

  const put = await admin.put('/v1/plans/gold', { ...created.body, mode: 'shadow' });
  expect([put.status, put.body.mode]).toEqual([200, 'shadow']);
  const withMonth = { ...gold.limits, month: 1000 };
  expect((await admin.put('/v1/plans/gold', { ...put.body, limits: withMonth })).body.limits).toEqual(withMonth);
  expect((await admin.put('/v1/plans/silver', { name: 'Silver', custom: true })).status).toBe(201);
  expect((await admin.call('DELETE', '/v1/plans/gold', { headers: { 'X-Change-Reason': 'no takers' } })).status).toBe(
    204,
  );
  expectError(await admin.get('/v1/plans/gold'), 404, 'plan_not_found');
  expectError(await admin.delete('/v1/plans/gold'), 404, 'plan_not_found');

  const { items } = (await admin.get('/v1/audit?subject=gold')).body;
  expect(items.map(({ action, actor, reason }: Record<string, unknown>) => [action, actor, reason])).toEqual([
    ['plan.delete', 'ops', 'no takers'],
    ['plan.put', 'ops', null],
    ['plan.put', 'ops', null],
    ['plan.put', 'ops', null],
  ]);
  expect(items[1]).toMatchObject({ before: { limits: gold.limits }, after: { limits: { month: 1000 } } });
  expect(items[2]).toMatchObject({ before: { mode: 'enforce' }, after: { mode: 'shadow' } });
});

test.each([
  [{ ...gold, id: 'Gold' }, '/id'],
  [{ name: 'Gold', limits: gold.limits }, '/id'],
  [{ id: 'gold', limits: gold.limits }, '/name'],
  [{ ...gold, limits: undefined }, '/limits'],
  [{ ...gold, custom: true }, '/limits'],
  [{ ...gold, limits: { minute: 5, day: 4 } }, '/limits'],
  [{ ...gold, limits: { minute: 4, day: 5, month: 4 } }, '/limits'],
  [{ ...gold, limits: { minute: 4, day: 5, month: 0 } }, '/limits/month'],
  [{ ...gold, limits: { minute: 0, day: 4 } }, '/limits/minute'],
  [{ ...gold, mode: 'off' }, '/mode'],
  [{ ...gold, onStoreFailure: null }, '/onStoreFailure'],
  [{ ...gold, custom: 'no' }, '/custom'],
  [{ ...gold, revision: 4 }, '/revision'],
])('a plan such as %j is rejected, and the error names the field', async (json, path) => {
  expectError(await admin.post('/v1/plans', json), 400, 'validation_failed', path);
});

test('a plan is stored only under the id in the path', async () => {
  const { id: _, ...rest } = gold;
  expectError(await admin.put('/v1/plans/gold', { ...rest, id: 'silver' }), 400, 'validation_failed', '/id');
  expectError(await admin.put('/v1/plans/Gold', rest), 400, 'validation_failed', '/path/id');
  expect((await admin.put('/v1/plans/gold', { ...rest, id: 'gold' })).status).toBe(201);
});

test('an existing plan cannot be created again, and a plan in use cannot be deleted', async () => {
  expectError(await admin.post('/v1/plans', { ...gold, id: 'free' }), 409, 'conflict');
  const { body } = await admin.post('/v1/keys', { name: 'a', owner: 'a', plan: 'free' });
  expectError(await admin.delete('/v1/plans/free'), 409, 'plan_in_use');
  expectError(await admin.put('/v1/plans/free', { name: 'Free', custom: true }), 409, 'plan_in_use');
  await admin.delete(`/v1/keys/${body.id}`);
  expect((await admin.delete('/v1/plans/free')).status).toBe(204);
});

test('If-Match rejects a change if the plan has changed', async () => {
  const etag = (await admin.get('/v1/plans/free')).headers.get('etag') ?? '';
  const put = (name: string, ifMatch: string, id = 'free') =>
    admin.call('PUT', `/v1/plans/${id}`, { json: { name, limits: gold.limits }, headers: { 'If-Match': ifMatch } });
  expect((await put('one', etag)).status).toBe(200);
  expectError(await put('two', etag), 412, 'precondition_failed');
  expectError(await put('new', '*', 'gold'), 412, 'precondition_failed');
  const stale = await admin.call('DELETE', '/v1/plans/free', { headers: { 'If-Match': etag } });
  expectError(stale, 412, 'precondition_failed');
});
