/**
 * Accounts on a running gateway. The test creates keys as the portal of another gateway would; everything else goes
 * through the admin API and the public listener.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import type { Database } from '../../../src/storage/database.ts';
import { Fleet, type Member } from '../../support/fleet/fleet.ts';
import { type SharedStorage, openSharedStorage } from '../../support/fleet/shared-storage.ts';
import { until } from '../../support/until.ts';

let storage: SharedStorage;
let fleet: Fleet;
let gateway: Member;
let database: Database;
let accounts: Accounts;

beforeAll(async () => {
  storage = await openSharedStorage();
  fleet = await Fleet.start(1, { ...storage.locations, settings: { redis: { commandTimeout: '2s' } } });
  gateway = fleet.members[0]!;
  database = await openPostgresDatabase(storage.locations.database, pino({ level: 'silent' }));
  accounts = new Accounts(database, pino({ level: 'silent' }));
});
afterAll(async () => {
  await database.close();
  await fleet.stop();
  await storage.release();
});

let accountCount = 0;
async function createAccount(): Promise<string> {
  const account = { owner: `owner-${accountCount++}`, name: 'Acme', plan: 'free' };
  const { status, body } = await gateway.admin('POST', '/accounts', account);
  expect(status).toBe(201);
  return String(body['id']);
}

const asAccount = (id: string) => ({ actor: id, reason: null, at: Date.now() });
const createKey = async (id: string) => {
  const { key, secret } = await accounts.createKey(id, { name: 'a key' }, { maxKeys: 50 }, asAccount(id));
  return { id: key.id, secret };
};
const call = (secret: string) => gateway.get('/pets', secret);
const remaining = async (secret: string) => Number((await call(secret)).headers['x-ratelimit-remaining']);

test('five keys of one account share one quota', async () => {
  const id = await createAccount();
  const keys = [];
  for (let index = 0; index < 5; index++) keys.push(await createKey(id));
  const left = [];
  for (const { secret } of keys) left.push(await remaining(secret));
  expect(left).toEqual([59, 58, 57, 56, 55]);
  expect(await fleet.usageOf(keys[0]!.secret)).toEqual({ minute: 5, day: 5 });
  // Another account has its own quota.
  expect(await remaining((await createKey(await createAccount())).secret)).toBe(59);
});

test('a banned account stays banned with new and rotated keys', async () => {
  const id = await createAccount();
  const [banned, sibling] = [await createKey(id), await createKey(id)];
  expect((await call(sibling.secret)).status).toBe(200);
  const ban = await gateway.admin('PUT', `/keys/${banned.id}/ban`, { seconds: 600, reason: 'scraping' });
  expect(ban.body).toMatchObject({ keyId: banned.id, quotaId: id });
  const fresh = await createKey(id);
  const rotated = await gateway.admin('POST', `/keys/${banned.id}/rotate`, { graceSeconds: 0 });
  for (const secret of [sibling.secret, fresh.secret, String(rotated.body['key'])]) {
    expect(await call(secret)).toMatchObject({ status: 403, code: 'key_banned' });
  }
  // The ban is found by any of the account's keys and by the account id.
  for (const key of [fresh.id, id]) {
    const { items } = (await gateway.admin('GET', `/bans?key=${key}`)).body as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ quotaId: id, status: 'active' })]);
  }
  expect((await gateway.admin('DELETE', `/keys/${fresh.id}/ban`, { reason: 'sorry' })).status).toBe(204);
  expect((await call(banned.secret)).status).toBe(401);
  expect((await call(fresh.secret)).status).toBe(200);
});

test('an approved plan request raises the limit from the next call, and earlier usage still counts', async () => {
  const id = await createAccount();
  const { secret } = await createKey(id);
  expect((await call(secret)).headers['x-ratelimit-limit']).toBe('60');
  const request = await accounts.planRequests.create(id, { plan: 'pro', message: '' }, asAccount(id));
  expect((await gateway.admin('POST', `/plan-requests/${request.id}/approve`)).status).toBe(200);
  const { headers } = await call(secret);
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['300', '298']);
});

test('a deleted account has no working keys and no sessions', async () => {
  const id = await createAccount();
  const keys = [await createKey(id), await createKey(id)];
  for (const { secret } of keys) expect((await call(secret)).status).toBe(200);
  const cookie = 'tollgate-portal';
  const user = { method: 'link', accountId: id } as const;
  const started = await accounts.sessions.start({ user, cookie, address: '', userAgent: '', at: Date.now() });
  expect((await gateway.admin('DELETE', `/accounts/${id}`)).status).toBe(204);
  for (const { secret } of keys) expect(await call(secret)).toMatchObject({ status: 401, code: 'key_revoked' });
  expect(await accounts.sessions.find(cookie, started!.secret, Date.now())).toBeNull();
});

test('a change made through another gateway applies here within two seconds', async () => {
  const id = await createAccount();
  const { secret, id: keyId } = await createKey(id);
  expect((await call(secret)).status).toBe(200);
  await accounts.update(id, { plan: 'pro' }, asAccount(id));
  await until(async () => (await call(secret)).headers['x-ratelimit-limit'] === '300');
  expect((await gateway.admin('GET', `/keys/${keyId}`)).body['plan']).toBe('pro');
});
