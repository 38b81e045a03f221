import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/admission/store.ts';
import { until } from '../support/log-lines.ts';
import { openRedisRegistry } from '../support/redis-registries.ts';
import type { OpenRegistry } from '../support/redis-registries.ts';
import { RedisServer } from '../support/redis-server.ts';
import { free, newKey, pro } from '../support/registry-data.ts';

let server: RedisServer;
let opened: OpenRegistry;
beforeEach(async () => {
  server = await RedisServer.start({ password: 'open-sesame', appendOnly: true, settings: { appendfsync: 'always' } });
  opened = await openRedisRegistry(server.url, 'tg', { timeouts: { lookUp: 100, change: 300 } });
  await opened.registry.seedPlans([free], change);
});
afterEach(async () => {
  await opened.close();
  await server.stop();
});

const change = { actor: 'test', reason: null, at: 1_700_000_000_000 };

async function expectUnavailable(work: () => Promise<unknown>, says: RegExp, withinMs = 1000): Promise<void> {
  const started = performance.now();
  const error: unknown = await work().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(performance.now() - started).toBeLessThan(withinMs);
  const { message, cause } = error as Error;
  expect(message).toMatch(says);
  expect(message).not.toContain('open-sesame');
  expect(cause).toBeUndefined();
}

test('a server that is gone is unavailable at once, and what it answered for is there when it is back', async () => {
  const { registry, told } = opened;
  const key = await registry.createKey(newKey(), change);
  await server.kill();
  await expectUnavailable(() => registry.findKeyByHash(key.hash), /Redis/);
  await expectUnavailable(() => registry.createKey(newKey(), change), /Redis/);
  await expectUnavailable(() => registry.listAudit({}, { limit: 1 }), /Redis/);
  await expectUnavailable(() => registry.touchKeys(new Map([[key.id, 1]])), /Redis/);
  told.length = 0;
  await server.start();
  await until(() => told.some(({ kind }) => kind === 'all'));
  await until(async () => (await registry.findKeyByHash(key.hash).catch(() => null)) !== null);
  expect(await registry.getKey(key.id)).toEqual(key);
});

test('a server that answers nothing is unavailable in time', async () => {
  server.pause();
  await expectUnavailable(() => opened.registry.findKeyByHash('x'), /100 ms/, 250);
  await expectUnavailable(() => opened.registry.updateKey('key_x', {}, change), /Redis/, 450);
  server.resume();
});

test('scripts that the server has forgotten are given again', async () => {
  const { registry } = opened;
  const key = await registry.createKey(newKey(), change);
  await server.client.script('FLUSH');
  await registry.updateKey(key.id, { name: 'x' }, change);
  await server.client.script('FLUSH');
  expect((await registry.listKeys({}, { limit: 1 })).items).toHaveLength(1);
  await server.client.script('FLUSH');
  await registry.touchKeys(new Map([[key.id, 60_000]]));
  await server.client.script('FLUSH');
  expect((await registry.listAudit({}, { limit: 9 })).items).toHaveLength(3);
});

test.each([
  'key:HASH',
  'ids',
  'plans',
  'sequence',
  'changes',
  'audit',
  'audit:times',
  'audit:skew',
  'audit:actor:test',
  'audit:action:key.create',
  'audit:subject:ID',
  'keys:active:*:*',
  'keys:active:=free:=acme',
])('a key of another type, %s, is unavailable; nothing is changed by halves', async (name) => {
  const { registry } = opened;
  const { client } = server;
  const key = newKey();
  const wrong = `tg:{registry}:${name.replace('HASH', key.hash).replace('ID', key.id)}`;
  await client.del(wrong);
  await client.sadd(wrong, 'foreign');
  const before = await everything();
  await expectUnavailable(() => registry.createKey(key, change), /did not write/);
  expect(await everything()).toEqual(before);

  async function everything(): Promise<unknown[]> {
    const names = (await client.keys('*')).sort();
    return Promise.all(names.map(async (name) => [name, String(await client.dumpBuffer(name))]));
  }
});

test('text that is no record is unavailable', async () => {
  const { registry } = opened;
  const key = await registry.createKey(newKey(), change);
  await server.client.set(`tg:{registry}:key:${key.hash}`, 'foreign');
  await server.client.hset('tg:{registry}:plans', 'free', '0000000000000001{');
  await expectUnavailable(() => registry.findKeyByHash(key.hash), /did not write/);
  await expectUnavailable(() => registry.listPlans(), /did not write/);
});

test.each([
  [['maxmemory', '1'], /out of memory/],
  [['min-replicas-to-write', '1'], /refuses writes/],
])('a server that takes no writes (%s) is unavailable, and still answers', async (setting, says) => {
  const { registry } = opened;
  await server.client.config('SET', ...(setting as [string, string]));
  await expectUnavailable(() => registry.putPlan(pro, change), says);
  expect(await registry.getPlan('pro')).toBeNull();
  expect(await registry.getPlan('free')).toMatchObject(free);
});

test('a user who may not write is unavailable', async () => {
  await server.client.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
  await expectUnavailable(() => opened.registry.putPlan(pro, change), /ACL/);
});

test('a registry on a server that is not there cannot be made', async () => {
  await opened.close();
  await server.kill();
  await expectUnavailable(() => openRedisRegistry(server.url, 'tg'), /Redis/, 7000);
}, 10_000);
