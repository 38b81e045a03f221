import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const wanted = { name: 'Shop', owner: 'acme', plan: 'free' };
const create = async (over: object = {}) => (await admin.post('/v1/keys', { ...wanted, ...over })).body;

describe('the list of keys', () => {
  test('comes in pages, newest first, and can be filtered', async () => {
    const ids: string[] = [];
    for (const owner of ['initech', 'umbrella', 'initech', 'initech']) ids.unshift((await create({ owner })).id);
    await admin.patch(`/v1/keys/${ids[0]}`, { status: 'disabled' });
    const list = async (query: string) => {
      const { body } = await admin.get(`/v1/keys?${query}`);
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect((await list('')).slice(0, 4)).toEqual(ids);
    expect(await list('owner=initech')).toEqual([ids[0], ids[1], ids[3]]);
    expect(await list('owner=initech&status=active&plan=free')).toEqual([ids[1], ids[3]]);
    expect(await list('plan=pro&owner=initech')).toEqual([]);

    const first = (await admin.get('/v1/keys?owner=initech&limit=2')).body;
    const second = (await admin.get(`/v1/keys?owner=initech&limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([ids[0], ids[1], ids[3]]);
    expect(second.nextCursor).toBeNull();
  });

  test('has 20 keys per page by default', async () => {
    for (let count = 0; count < 21; count++) await create({ owner: 'many' });
    const { body } = await admin.get('/v1/keys?owner=many');
    expect([body.items.length, typeof body.nextCursor]).toEqual([20, 'string']);
    expect((await admin.get('/v1/keys?owner=many&limit=100')).body.items).toHaveLength(21);
  });

  test.each([
    ['limit=0', '/query/limit'],
    ['limit=101', '/query/limit'],
    ['limit=1.5', '/query/limit'],
    ['limit=1e1', '/query/limit'],
    ['limit=', '/query/limit'],
    ['limit=%zz', '/query/limit'],
    ['limit=5&limit=6', '/query/limit'],
    ['cursor=', '/query/cursor'],
    ['cursor=abc', '/query/cursor'],
    ['status=gone', '/query/status'],
    ['sort=metadata', '/query/sort'],
    ['state=active', '/query/state'],
    ['expiresWithin=soon', '/query/expiresWithin'],
    ['plan=%F0%9F%98%80', '/query/plan'],
    ['color=red', '/query/color'],
    ['__proto__=1', '/query/__proto__'],
  ])('is rejected with the parameter %s, and the error names the parameter', async (query, path) => {
    expectError(await admin.get(`/v1/keys?${query}`), 400, 'validation_failed', path);
  });
});

test('a search for keys matches a part of the name, owner or id, if the part has at least three characters', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'Sought Ünit', owner: 'finder', plan: 'free' })).body;
  for (const q of ['ought', 'SOUGHT', 'ünit', 'finder', id.slice(4)]) {
    const { items } = (await admin.get(`/v1/keys?q=${encodeURIComponent(q)}`)).body;
    expect(items.map((key: { id: string }) => key.id)).toEqual([id]);
  }
  expect((await admin.get('/v1/keys?q=ought&plan=pro')).body.items).toEqual([]);
  for (const q of ['', 'ab', 'a%00bc'])
    expectError(await admin.get(`/v1/keys?q=${q}`), 400, 'validation_failed', '/query/q');
});

test('keys can be filtered by state and by expiry, and can be sorted', async () => {
  const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
  const owner = 'of-states';
  const [soon, late, banned, replaced, lifted] = await Promise.all([
    create({ owner, name: 'b soon', expiresAt: inDays(3) }),
    create({ owner, name: 'C late', expiresAt: inDays(30) }),
    create({ owner, name: 'a banned' }),
    create({ owner, name: 'replaced' }),
    create({ owner, name: 'lifted' }),
  ]);
  const next = (await admin.post(`/v1/keys/${replaced.id}/rotate`, {})).body;
  for (const { id } of [banned, lifted]) {
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 600, reason: 'test' });
  }
  await admin.delete(`/v1/keys/${lifted.id}/ban`, { reason: 'test' });
  const list = async (query: string) =>
    (await admin.get(`/v1/keys?owner=${owner}&${query}`)).body.items.map(({ id }: { id: string }) => id);
  expect(await list('state=banned')).toEqual([banned.id]);
  expect(await list('state=rotating')).toEqual([replaced.id]);
  expect(await list('state=expired')).toEqual([]);
  expect(await list('expiresWithin=7d')).toEqual([soon.id]);
  expect(await list('expiresWithin=60d&sort=expiresAt')).toEqual([soon.id, late.id]);
  expect(await list('sort=name&limit=3')).toEqual([banned.id, soon.id, late.id]);
  expect(await list('sort=-name&limit=2')).toEqual([next.id, replaced.id]);
});
