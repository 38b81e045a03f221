import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, startAdmin, type Admin } from '../../../support/gateway/admin.ts';
import { free } from '../../../support/registry-data.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const create = async (over: object = {}) =>
  (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free', ...over })).body;

/** The console once sent a request for the usage of each row, which was a hundred requests for each page of keys. */
test('a page of keys includes the usage of each key on request', async () => {
  const custom = await create({ plan: 'enterprise', limits: { minute: 5, day: 50 } });
  const busy = await create();
  await admin.store.admit({ quotaId: busy.id, cost: 7, limits: free.limits!, mode: 'enforce' });
  await admin.put(`/v1/keys/${busy.id}/ban`, { seconds: 60, reason: 'scraping' });
  const revoked = await create();
  await admin.delete(`/v1/keys/${revoked.id}`);

  const { items } = (await admin.get('/v1/keys?include=usage')).body;
  const ids = [revoked.id, busy.id, custom.id];
  expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
  for (const { id, usage } of items) expect(usage).toEqual((await admin.get(`/v1/keys/${id}/usage`)).body);
  expect(items[1].usage).toMatchObject({ windows: [{ used: 7 }, { used: 7, limit: 1000 }], ban: { manual: true } });
  expect(items[2].usage.windows[0]).toMatchObject({ limit: 5, used: 0 });
  expect((await admin.get('/v1/keys')).body.items[0]).not.toHaveProperty('usage');
});

test('a page of keys has the total number of matching keys', async () => {
  const { total } = (await admin.get('/v1/keys?owner=acme&limit=1')).body;
  expect(total).toBe(3);
});

test('a page of keys can include nothing but usage', async () => {
  expectError(await admin.get('/v1/keys?include=hash'), 400, 'validation_failed', '/query/include');
});
