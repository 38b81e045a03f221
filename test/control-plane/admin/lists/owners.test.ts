import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
  for (const owner of ['globex', 'acme', 'acme']) await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' });
});
afterAll(() => admin.stop());

test('owners are listed with their keys, in pages, and can be searched', async () => {
  const unused = { plans: ['free'], lastUsedAt: null };
  const first = (await admin.get('/v1/owners?limit=1')).body;
  expect(first.items).toEqual([{ owner: 'acme', keys: 2, activeKeys: 2, ...unused }]);
  const second = (await admin.get(`/v1/owners?limit=1&cursor=${first.nextCursor}`)).body;
  expect(second).toEqual({ items: [{ owner: 'globex', keys: 1, activeKeys: 1, ...unused }], nextCursor: null });
  expect((await admin.get('/v1/owners?q=LOBE')).body.items).toMatchObject([{ owner: 'globex' }]);
  expect((await admin.call('GET', '/v1/owners', { token: VIEWER })).status).toBe(200);
});

test('owners can be sorted by a field, in descending order with a minus sign', async () => {
  const owners = async (sort: string) =>
    (await admin.get(`/v1/owners?sort=${sort}`)).body.items.map(({ owner }: { owner: string }) => owner);
  expect([await owners('-owner'), await owners('keys'), await owners('-keys')]).toEqual([
    ['globex', 'acme'],
    ['globex', 'acme'],
    ['acme', 'globex'],
  ]);
});

test.each([
  ['sort=plan', '/query/sort'],
  ['q=', '/query/q'],
  ['limit=101', '/query/limit'],
  ['cursor=x', '/query/cursor'],
  // "owners:", and a NUL: PostgreSQL refuses it, and that was answered with 500.
  ['cursor=b3duZXJzOgA', '/query/cursor'],
  ['owner=acme', '/query/owner'],
])('%s is rejected with its location', async (query, path) => {
  expectError(await admin.get(`/v1/owners?${query}`), 400, 'validation_failed', path);
});
