/**
 * A consumer calls a deprecated operation. The gateway is restarted, which writes the counts. Then the portal shows what
 * was called and what will change.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type Portal, type PortalBrowser } from '../../support/gateway/portal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let portal: Portal;
let browser: PortalBrowser;
let [oldKey, key] = [
  { id: '', key: '' },
  { id: '', key: '' },
];

beforeAll(async () => {
  const first = await startPortal({ dataDir: folder.path });
  const [account, other] = [await first.account('acme'), await first.account('globex')];
  const consumer = await first.signInAs(account);
  oldKey = (await consumer.post('/api/keys', { name: 'Shop' })).body;
  const call = async (secret: string, path: string) => (await first.gateway.call(path, { key: secret })).text();
  await call(oldKey.key, '/pets/1');
  await call(oldKey.key, '/pets');
  key = (await consumer.post(`/api/keys/${oldKey.id}/rotate`, {})).body;
  await call(key.key, '/pets/1');
  const others = await first.signInAs(other);
  await call((await others.post('/api/keys', { name: 'Theirs' })).body.key, '/pets/1');
  await first.stop();
  portal = await startPortal({ dataDir: folder.path });
  browser = await portal.signInAs(account);
});
afterAll(async () => {
  await portal.stop();
  folder.remove();
});

const CHANGE = {
  operation: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  summary: expect.any(String),
  requests: 2,
  deprecatedAt: '2026-11-01T00:00:00.000Z',
  sunsetAt: '2027-12-31T00:00:00.000Z',
  brownouts: [],
  successor: '/pets?id={petId}',
  link: '/_gateway/openapi.json',
};

test('the deprecated operations that an account called are listed with their end and successor', async () => {
  const { items } = (await browser.get('/api/changes')).body;
  expect(items).toMatchObject([CHANGE]);
  expect(items[0].keys).toMatchObject([
    { id: key.id, requests: 1, lastAt: items[0].lastAt },
    { id: oldKey.id, requests: 1 },
  ]);
  expect(Date.parse(items[0].firstAt)).toBeLessThanOrEqual(Date.parse(items[0].lastAt));
});

test('a session of a key lists the deprecated operations that its rotation chain called', async () => {
  const byKey = await portal.signInWith(key.key);
  expect((await byKey.get('/api/changes')).body.items).toMatchObject([{ ...CHANGE, keys: [{ id: key.id }] }]);
});

test('an account that called no deprecated operations gets an empty list', async () => {
  const other = await portal.signInAs(await portal.account('initech'));
  expect((await other.get('/api/changes')).body.items).toEqual([]);
});

test('the usage history covers all keys of the account, or only one', async () => {
  const requests = async (query: string) => {
    const { series } = (await browser.get(`/api/usage/history?${query}`)).body;
    return series.map(({ group, totals }: { group: string; totals: { requests: number } }) => [group, totals.requests]);
  };
  expect(await requests('by=operation')).toEqual([
    ['getPet', 2],
    ['listPets', 1],
  ]);
  expect(await requests(`key=${oldKey.id}`)).toEqual([[null, 2]]);
  expect(await requests('by=key&operation=getPet')).toEqual(
    expect.arrayContaining([
      [oldKey.id, 1],
      [key.id, 1],
    ]),
  );
});
