import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet, type Member } from '../support/fleet.ts';
import { until } from '../support/log-lines.ts';
import { RedisServer } from '../support/redis-server.ts';

let redis: RedisServer;
let fleet: Fleet;
let here: Member;
let there: Member;

beforeAll(async () => {
  redis = await RedisServer.start({ appendOnly: true });
  fleet = await Fleet.start(2, { store: redis.url });
  [here, there] = fleet.members as [Member, Member];
}, 30_000);
afterAll(async () => {
  await fleet.stop();
  await redis.stop();
});

const statusThere = async (secret: string) => (await there.get('/pets', secret)).status;

test('a new key works on the other gateway, also where it was unknown a moment ago', async () => {
  const { secret } = await fleet.createKey(10);
  expect(await statusThere(secret)).toBe(200);
});

test('a ban and a lift hold from the very next request', async () => {
  const { id, secret } = await fleet.createKey(10);
  expect(await statusThere(secret)).toBe(200);
  const ban = await here.admin('PUT', `/keys/${id}/ban`, { seconds: 60, reason: 'test' });
  expect(ban.status).toBe(200);
  expect(await there.get('/pets', secret)).toMatchObject({ status: 403, code: 'key_banned' });
  await here.admin('DELETE', `/keys/${id}/ban`, { reason: 'test' });
  expect(await statusThere(secret)).toBe(200);
});

test('a revocation is seen within a second', async () => {
  const { id, secret } = await fleet.createKey(100);
  expect(await statusThere(secret)).toBe(200);
  expect((await here.admin('DELETE', `/keys/${id}`, { reason: 'test' })).status).toBeLessThan(300);
  await until(async () => (await there.get('/pets', secret)).code === 'key_revoked', 1000);
});

test('a change of limits is seen within a second, and counters carry over', async () => {
  const { id, secret } = await fleet.createKey(100);
  await there.get('/pets', secret);
  await here.admin('PATCH', `/keys/${id}`, { limits: { minute: 7, day: 8 } });
  await until(async () => (await there.get('/_gateway/usage', secret)).text.includes('"limit":7'), 1000);
  expect((await there.get('/pets', secret)).headers['x-ratelimit-remaining']).toBe('5');
});

test('a change of a plan is seen within a second', async () => {
  const { secret } = await fleet.createKey(0, 0, 'free');
  expect((await there.get('/pets', secret)).headers['x-ratelimit-limit']).toBe('60');
  const plan = { name: 'Free', limits: { minute: 50, day: 1000 } };
  expect((await here.admin('PUT', '/plans/free', plan)).status).toBe(200);
  await until(async () => (await there.get('/pets', secret)).headers['x-ratelimit-limit'] === '50', 1000);
});
