import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRequestLimit } from '../../../src/control-plane/portal/access/request-limit.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';

let portal: Portal;
beforeAll(async () => {
  // Every reading of the clock is different.
  let now = Date.now();
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
