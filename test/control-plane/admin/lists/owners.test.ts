import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { addCounts } from '../../../support/history/counts.ts';

const HOUR = 3_600_000;

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
  for (const owner of ['globex', 'acme', 'acme']) await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' });
});
afterAll(() => admin.stop());

test('owners are listed with their number of keys, in pages, and can be searched', async () => {
  const unused = { account: null, plans: ['free'], lastUsedAt: null, usage: null };
  const first = (await admin.get('/v1/owners?limit=1')).body;
  expect(first.items).toEqual([{ owner: 'acme', keys: 2, activeKeys: 2, ...unused }]);
  const second = (await admin.get(`/v1/owners?limit=1&cursor=${first.nextCursor}`)).body;
  const items = [{ owner: 'globex', keys: 1, activeKeys: 1, ...unused }];
  expect(second).toEqual({ items, nextCursor: null, period: null });
  expect((await admin.get('/v1/owners?q=LOBE')).body.items).toMatchObject([{ owner: 'globex' }]);
  expect((await admin.call('GET', '/v1/owners', { token: VIEWER })).status).toBe(200);
});

test('owners can be sorted by a field, and a minus sign before the field reverses the order', async () => {
  const owners = async (sort: string) =>
    (await admin.get(`/v1/owners?sort=${sort}`)).body.items.map(({ owner }: { owner: string }) => owner);
  expect([await owners('-owner'), await owners('keys'), await owners('-keys')]).toEqual([
    ['globex', 'acme'],
    ['globex', 'acme'],
    ['acme', 'globex'],
  ]);
});

describe('for a period,', () => {
  let account: string;
  beforeAll(async () => {
    const key = await admin.post('/v1/keys', { name: 'a', owner: 'initech', plan: 'free' });
    const named = { owner: 'initech', name: 'Initech Ltd', email: 'bill@initech.example', plan: 'free' };
    account = (await admin.post('/v1/accounts', named)).body.id;
    const [acme] = (await admin.get('/v1/keys?owner=acme')).body.items;
    await addCounts(
      admin.history,
      { minute: NOW - 2 * HOUR, keyId: key.body.id, operation: 'listPets', requests: 30 },
      { minute: NOW - HOUR, keyId: key.body.id, operation: 'listPets', requests: 10 },
      { minute: NOW - HOUR, keyId: acme.id, operation: 'listPets', requests: 50 },
      { minute: NOW - 30 * HOUR, keyId: acme.id, operation: 'listPets', requests: 1000 },
      { minute: NOW - HOUR, requests: 9, outcome: 'key_missing', statusClass: 4 },
    );
  });
  const since = (ms: number) => `from=${new Date(NOW - ms).toISOString()}`;
  const listRequests = ({ items }: { items: { owner: string; usage: { totals: { requests: number } } }[] }) =>
    items.map(({ owner, usage }) => [owner, usage.totals.requests]);

  test('owners are listed with their requests, in total and by interval, and can be sorted by them', async () => {
    const { body } = await admin.get(`/v1/owners?${since(3 * HOUR)}&every=hour&sort=-requests`);
    expect(listRequests(body)).toEqual([
      ['acme', 50],
      ['initech', 40],
      ['globex', 0],
    ]);
    expect(body.period).toMatchObject({
      from: '2026-06-15T09:00:00.000Z',
      to: '2026-06-15T12:00:00.000Z',
      every: 'hour',
    });
    expect(body.items[1]).toMatchObject({
      account: { id: account, name: 'Initech Ltd', email: 'bill@initech.example' },
      usage: {
        totals: { requests: 40, refused: 0 },
        points: [
          { at: '2026-06-15T10:00:00.000Z', requests: 30 },
          { at: '2026-06-15T11:00:00.000Z', requests: 10 },
        ],
      },
    });
    expect(body.items[2].usage.points).toEqual([]);
    const upwards = await admin.get(`/v1/owners?${since(3 * HOUR)}&sort=requests&points=false`);
    expect(listRequests(upwards.body).map(([owner]) => owner)).toEqual(['globex', 'initech', 'acme']);
    expect(upwards.body.items[2].usage.points).toEqual([]);
    const longer = await admin.get(`/v1/owners?${since(40 * HOUR)}&sort=-requests&limit=1`);
    expect(listRequests(longer.body)).toEqual([['acme', 1050]]);
  });

  test('pages sorted by requests neither repeat nor skip an owner', async () => {
    const query = `/v1/owners?${since(3 * HOUR)}&sort=-requests&limit=2`;
    const first = (await admin.get(query)).body;
    const second = (await admin.get(`${query}&cursor=${first.nextCursor}`)).body;
    expect(listRequests(second)).toEqual([['globex', 0]]);
    expect(second.nextCursor).toBeNull();
  });

  test.each(['initech', 'INITECH LTD', 'bill@'])('owners can be searched by account, such as %s', async (text) => {
    expect((await admin.get(`/v1/owners?q=${encodeURIComponent(text)}`)).body.items).toMatchObject([
      { owner: 'initech' },
    ]);
  });

  test.each([
    ['sort=requests', '/query/from'],
    ['to=2026-06-15T12:00:00Z', '/query/from'],
    ['from=2026-06-15T12:00:00Z', '/query/from'],
    ['from=2026-01-01T00:00:00Z&every=day&limit=100', '/query/from'],
    ['from=2026-06-15T11:00:00Z&every=week', '/query/every'],
  ])(
    'the list of owners is rejected with the parameters %s, and the error names the wrong one',
    async (query, path) => {
      expectError(await admin.get(`/v1/owners?${query}`), 400, 'validation_failed', path);
    },
  );
});

test.each([
  ['sort=plan', '/query/sort'],
  ['q=', '/query/q'],
  ['limit=101', '/query/limit'],
  ['cursor=x', '/query/cursor'],
  // The cursor is "owners:" and a NUL, which PostgreSQL rejects, so it once returned 500.
  ['cursor=b3duZXJzOgA', '/query/cursor'],
  ['owner=acme', '/query/owner'],
])('the list of owners is rejected with the parameter %s, and the error names the parameter', async (query, path) => {
  expectError(await admin.get(`/v1/owners?${query}`), 400, 'validation_failed', path);
});
