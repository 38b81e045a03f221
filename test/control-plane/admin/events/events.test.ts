import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, expectError, NOW, startAdmin, VIEWER } from '../../../support/gateway/admin.ts';
import { until } from '../../../support/until.ts';

let admin: Admin;
const ids: string[] = [];
beforeAll(async () => {
  admin = await startAdmin();
  for (const name of ['a', 'b', 'c']) {
    ids.push((await admin.post('/v1/keys', { name, owner: 'acme', plan: 'free' })).body.id);
    admin.time.now += 1000;
  }
  await admin.delete(`/v1/keys/${ids[0]}`);
});
afterAll(() => admin.stop());

const subjects = async (query: string) =>
  (await admin.get(`/v1/events?${query}`)).body.items.map(({ subject }: { subject: string }) => subject);

test('events are listed newest first, with all fields', async () => {
  const { status, body } = await admin.get('/v1/events');
  expect(status).toBe(200);
  expect(body.nextCursor).toBeNull();
  expect(body.items).toHaveLength(4);
  expect(body.items[0]).toMatchObject({ type: 'key.revoked', subject: ids[0], at: new Date(NOW + 3000).toISOString() });
  expect(body.items[3]).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Za-z]{20}$/),
    type: 'key.created',
    subject: ids[0],
    owner: 'acme',
    source: 'gateway',
    at: new Date(NOW).toISOString(),
    data: expect.objectContaining({ id: ids[0], name: 'a', owner: 'acme', plan: 'free', expiresAt: null }),
  });
});

test('the list of events can be filtered and paged', async () => {
  expect(await subjects('type=key.revoked')).toEqual([ids[0]]);
  expect(await subjects(`subject=${ids[1]}`)).toEqual([ids[1]]);
  expect(await subjects('from=2026-06-15T12:00:01Z&to=2026-06-15T12:00:03Z')).toEqual([ids[2], ids[1]]);
  expect(await subjects('type=webhook.test')).toEqual([]);
  const first = (await admin.get('/v1/events?limit=3')).body;
  const rest = (await admin.get(`/v1/events?limit=3&cursor=${first.nextCursor}`)).body;
  expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 1, null]);
});

test('viewers may list events, and invalid parameters are rejected', async () => {
  expect((await admin.call('GET', '/v1/events', { token: VIEWER })).status).toBe(200);
  expectError(await admin.call('GET', '/v1/events', { token: null }), 401, 'unauthorized');
  for (const query of ['cursor=junk', 'from=yesterday', 'limit=1001', 'type=', 'owner=acme']) {
    expectError(await admin.get(`/v1/events?${query}`), 400, 'validation_failed');
  }
});

test('requests for the list of events are logged only at debug level, unless they fail', async () => {
  const levels = async (query: string) => {
    const before = admin.logs.length;
    await admin.get(`/v1/events?${query}`);
    await until(() => admin.logs.length > before);
    return admin.logs.slice(before).map((line) => (JSON.parse(line) as { level: number }).level);
  };
  expect(await levels('limit=1')).toEqual([20]);
  expect(await levels('limit=x')).toEqual([30]);
});
