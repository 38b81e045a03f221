import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/admission/store.ts';
import { until } from '../support/log-lines.ts';
import { openRedisRegistry } from '../support/redis-registries.ts';
import type { OpenRegistry } from '../support/redis-registries.ts';
import { RedisServer } from '../support/redis-server.ts';
import { free, newKey, pro } from '../support/registry-data.ts';

/** Many keys at once: written in lots, there all at once or not at all. */
let server: RedisServer;
let one: OpenRegistry;
let two: OpenRegistry;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  one = await openRedisRegistry(server.url);
  two = await openRedisRegistry(server.url, 'tg', { lookEvery: 20 });
  await one.registry.seedPlans([free, pro], change);
});
afterEach(async () => {
  await one.close();
  await two.close();
});

const change = { actor: 'test', reason: null, at: 1_700_000_000_000 };
const PENDING = 'tg:{registry}:pending';
const someKeys = (count: number) => Array.from({ length: count }, (_, n) => newKey({ owner: `owner ${n % 7}` }));

/** Everything, save for counters, which only ever rise. */
async function everything(): Promise<unknown[]> {
  const { client } = server;
  const read: Record<string, (name: string) => Promise<unknown>> = {
    string: (name) => client.get(name),
    hash: (name) => client.hgetall(name),
    zset: (name) => client.zrange(name, '0', '-1', 'WITHSCORES'),
    stream: (name) => client.xrange(name, '-', '+'),
  };
  const names = (await client.keys('*')).filter((name) => !/:(sequence|pending|times)$/.test(name)).sort();
  const values = await Promise.all(names.map(async (name) => [name, await read[await client.type(name)]!(name)]));
  // A stream whose entries were all taken back stays, empty.
  return values.filter(([, value]) => !(Array.isArray(value) && value.length === 0));
}

test('are seen all or none, by every way to look, while others make changes', async () => {
  const keys = someKeys(5000);
  const progress = { done: false };
  const making = one.registry.createKeys(keys, change).finally(() => (progress.done = true));
  let looks = 0;
  let others = 0;
  while (!progress.done) {
    const last = await two.registry.getKey(keys[4999]!.id);
    const first = await two.registry.findKeyByHash(keys[0]!.hash);
    const listed = await two.registry.listKeys({ owner: 'owner 1' }, { limit: 100 });
    const noted = await two.registry.listAudit({ subject: keys[1]!.id }, { limit: 1 });
    // Once one is there, so is what is looked at later.
    const seen = [last, first, listed.items[0], noted.items[0]].map((one) => Number(one != null));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const own = await two.registry.createKey(newKey({ owner: 'other', plan: 'pro' }), change);
    expect((await two.registry.listKeys({ plan: 'pro' }, { limit: 1 })).items).toEqual([own]);
    others++;
    if (first === null) looks++;
  }
  await making;
  expect(looks).toBeGreaterThan(1);
  const { items } = await two.registry.listAudit({ actor: 'test', from: 0 }, { limit: 100 });
  expect(items).toHaveLength(100);
  expect(await two.registry.getKey(keys[4999]!.id)).toMatchObject(keys[4999]!);
  await until(() => two.told.some((what) => 'hash' in what && what.hash === keys[1500]!.hash));
  expect(await server.client.get(PENDING)).toBe('');
  expect(await server.client.zcard('tg:{registry}:keys:active:*:*')).toBe(5000 + others);
});

test('of which the last is refused leave nothing behind', async () => {
  const taken = await one.registry.createKey(newKey({ plan: 'pro' }), change);
  const before = await everything();
  one.told.length = two.told.length = 0;
  const keys = [...someKeys(1000), newKey({ hash: taken.hash })];
  await expect(one.registry.createKeys(keys, change)).rejects.toMatchObject({ code: 'conflict' });
  expect(await everything()).toEqual(before);
  expect(one.told).toEqual([]);
  await two.registry.deletePlan('free', change);
});

test('that a gateway left half made are never there, and are taken back by another', async () => {
  const before = await everything();
  const keys = someKeys(5000);
  const making = one.registry.createKeys(keys, change).catch((error: unknown) => error);
  await until(async () => ((await server.client.get(PENDING)) ?? '').split(' ').length > 3);
  one.client.disconnect();
  expect(await making).toBeInstanceOf(StoreUnavailable);

  expect(await two.registry.findKeyByHash(keys[0]!.hash)).toBeNull();
  expect((await two.registry.listKeys({}, { limit: 100 })).items).toEqual([]);
  // The plan is kept for the keys that may still come.
  await expect(two.registry.deletePlan('free', change)).rejects.toMatchObject({ code: 'plan_in_use' });

  const left = (await server.client.get(PENDING))!;
  await server.client.set(PENDING, left.replaceAll(/:\d+(?= |$)/g, ':1000'));
  await until(async () => (await server.client.get(PENDING)) === '');
  expect(await everything()).toEqual(before);
  await two.registry.deletePlan('free', change);
});

test('that took too long are given up', async () => {
  const before = await everything();
  const keys = someKeys(5000);
  const making = one.registry.createKeys(keys, change).catch((error: unknown) => error);
  await until(async () => ((await server.client.get(PENDING)) ?? '') !== '');
  const [first = ''] = (await server.client.get(PENDING))!.split(' ');
  await server.client.eval(
    `redis.call('SET', KEYS[1], (redis.call('GET', KEYS[1]):gsub(ARGV[1], '1000', 1)))`,
    1,
    PENDING,
    first.slice(first.lastIndexOf(':') + 1),
  );
  expect(await making).toBeInstanceOf(StoreUnavailable);
  await until(async () => (await server.client.get(PENDING)) === '');
  expect(await everything()).toEqual(before);
});
