import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { createRequestLimit } from '../../../src/control-plane/portal/access/request-limit.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let portal: Portal;
// Every reading of the clock is different.
let now = Date.now();
beforeAll(async () => {
  // All calls of a test come from one address concurrently.
  portal = await startPortal({ clock: () => ++now, settings: { portal: { maxConnectionsPerAddress: 2000 } } });
});
afterAll(() => portal.stop());

const statuses = (answers: readonly { readonly status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]));
const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

// Every change is stored in the audit log permanently.
test('an account can make 600 changes a minute over all sessions, and can still read', async () => {
  const id = await portal.account('acme');
  const [one, other] = [await portal.signInAs(id), await portal.signInAs(id)];
  const change = () => one.call('PATCH', '/api/keys/key_none', { json: { name: 'a' } });
  expect(statuses(await times(600, change))).toEqual({ 404: 600 });
  const refused = await other.post('/api/keys', { name: 'one more' });
  expectError(refused, 429, 'rate_limit_exceeded');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other.get('/api/keys')).status).toBe(200);
  const neighbour = await portal.signInAs(await portal.account('globex'));
  expect((await neighbour.post('/api/keys', { name: 'a key' })).status).toBe(201);
});

test('a key can sign in 600 times a minute, and exceeding that does not affect others at the address', async () => {
  const { key } = await portal.admin('POST', '/v1/keys', { name: 'Shop', owner: 'shop', plan: 'free' });
  expect(statuses(await times(600, () => portal.browser().post('/api/session', { key })))).toEqual({ 201: 600 });
  for (const answer of await times(20, () => portal.browser().post('/api/session', { key }))) {
    expectError(answer, 429, 'rate_limit_exceeded');
  }
  const next = await portal.admin('POST', '/v1/keys', { name: 'Other', owner: 'other', plan: 'free' });
  expect((await portal.browser().post('/api/session', { key: next.key })).status).toBe(201);
});

// At 600 changes a minute, that would be a gigabyte a day.
test('an account can make 1000 changes a day, and can still sign in, revoke keys and end sessions', async () => {
  const folder = tempFolder();
  const start = () => startPortal({ dataDir: folder.path, clock: () => ++now });
  const first = await start();
  const id = await first.account('hooli');
  const session = await first.signInAs(id);
  const { id: key } = (await session.post('/api/keys', { name: 'a key' })).body;
  await first.stop();
  // The sign-in and the key are two.
  await addChanges(folder.path, id, 997);

  const portal = await start();
  const { cookie } = session;
  const again = Object.assign(portal.browser(), { cookie });
  const rename = (name: string) => again.call('PATCH', '/api/account', { json: { name } });
  expect((await rename('Hooli Ltd')).status).toBe(200);
  for (const refused of [await rename('Hooli'), await again.post('/api/keys', { name: 'one more' })]) {
    expectError(refused, 429, 'rate_limit_exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  }
  expect((await again.post(`/api/keys/${key}/revoke`, {})).status).toBe(200);
  const other = await portal.signInAs(id);
  const { items } = (await other.get('/api/sessions')).body;
  expect((await other.call('DELETE', `/api/sessions/${items[1].id}`)).status).toBe(204);

  await portal.stop();
  await addChanges(folder.path, id, 97);
  const last = await start();
  const token = await last.link(id);
  expectError(await last.browser().post('/api/session', { token }), 429, 'rate_limit_exceeded');
  now += 86_400_000;
  const later = await last.signInAs(id);
  expect((await later.post('/api/keys', { name: 'another' })).status).toBe(201);
  await last.stop();
  folder.remove();
}, 60_000);

/** Adds changes of an account to the audit log of a gateway that does not run. */
async function addChanges(dataDir: string, actor: string, count: number): Promise<void> {
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'));
  const entry = { actor, action: 'account.update', subject: actor, at: ++now, reason: null, bulk_id: null };
  const rows = Array.from({ length: count }, () => ({ ...entry, before: null, after: null }));
  await database.transaction((tx) => tx.insertInto('audit').values(rows).execute());
  await database.close();
}

test('an account can create 20 keys a day for each key that it may have, including rotations', async () => {
  const session = await portal.signInAs(await portal.account('stark'));
  const statusesOfKeys: number[] = [];
  for (let count = 0; count < 50; count++) {
    const made = await session.post('/api/keys', { name: 'a key' });
    const rotated = await session.post(`/api/keys/${made.body.id}/rotate`, { graceSeconds: 0 });
    await session.post(`/api/keys/${rotated.body.id}/revoke`, {});
    statusesOfKeys.push(made.status, rotated.status);
  }
  expect(new Set(statusesOfKeys)).toEqual(new Set([201]));
  expectError(await session.post('/api/keys', { name: 'one more' }), 429, 'rate_limit_exceeded');
});

test('requests are limited too, including changes', async () => {
  const limit = createRequestLimit({ requests: 3, changes: 1 });
  const tooMany = expect.objectContaining({
    code: 'rate_limit_exceeded',
    headers: { 'Retry-After': expect.anything() },
  });
  await limit('acc_1', true);
  await expect(limit('acc_1', true)).rejects.toEqual(tooMany);
  await limit('acc_1', false);
  await expect(limit('acc_1', false)).rejects.toEqual(tooMany);
  await limit('acc_2', true);
});

test('a caller can run 20 reports at a time, which leaves room for others', async () => {
  const session = await portal.signInAs(await portal.account('initech'));
  const answers = await times(60, () => session.get('/api/usage/history'));
  const { 200: made = 0, 429: refused = 0 } = statuses(answers);
  expect(made).toBeGreaterThanOrEqual(20);
  expect(made + refused).toBe(60);
  expect((await session.get('/api/usage/history')).status).toBe(200);
});

test('a key that was rotated too often can still be rotated without a grace period', async () => {
  const id = await portal.account('umbrella');
  const session = await portal.signInAs(id);
  let key = (await session.post('/api/keys', { name: 'a' })).body.id as string;
  const rotate = async (graceSeconds: number) => {
    const answer = await session.post(`/api/keys/${key}/rotate`, { graceSeconds });
    if (answer.status === 201) key = answer.body.id;
    return answer;
  };
  expect([(await rotate(3600)).status, (await rotate(3600)).status]).toEqual([201, 201]);
  expectError(await rotate(3600), 409, 'too_many_keys');
  expect((await rotate(0)).status).toBe(201);
});
