import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSecret, tracesOf } from '../../src/registry/key-format.ts';
import { until } from '../support/log-lines.ts';
import { openRedisRegistry } from '../support/redis-registries.ts';
import type { OpenRegistry } from '../support/redis-registries.ts';
import { RedisServer } from '../support/redis-server.ts';
import { enterprise, free, newKey, pro, successor } from '../support/registry-data.ts';

/** Two gateways, one Redis. */
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
  two = await openRedisRegistry(server.url);
});
afterEach(async () => {
  await one.close();
  await two.close();
});

const change = { actor: 'test', reason: null, at: 1_700_000_000_000 };
const code = (code: string) => expect.objectContaining({ name: 'RegistryError', code });
const succeeded = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;
const channel = 'tg:{registry}:changes';

describe('two operators at once', () => {
  test('the same key at the same revision: one wins, the other is told', async () => {
    await one.registry.seedPlans([free], change);
    for (let round = 0; round < 20; round++) {
      const { id, revision } = await one.registry.createKey(newKey(), change);
      const results = await Promise.allSettled([
        one.registry.updateKey(id, { name: 'one' }, change, revision),
        two.registry.updateKey(id, { name: 'two' }, change, revision),
      ]);
      expect(succeeded(results)).toBe(1);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
    }
  });

  test('changes to different fields of a key are both kept', async () => {
    await one.registry.seedPlans([free], change);
    const { id } = await one.registry.createKey(newKey(), change);
    await Promise.all([
      ...[1, 2, 3].map((n) => one.registry.updateKey(id, { name: `name ${n}` }, change)),
      ...[1, 2, 3].map((n) => two.registry.updateKey(id, { expiresAt: n }, change)),
    ]);
    const key = await one.registry.getKey(id);
    expect(key?.name).toMatch(/^name/);
    expect(key?.expiresAt).toBeGreaterThan(0);
    expect((await one.registry.listAudit({ subject: id }, { limit: 100 })).items).toHaveLength(7);
  });

  test('a plan that goes, or becomes custom, and a key that comes: never both', async () => {
    for (let round = 0; round < 20; round++) {
      await one.registry.putPlan(free, change);
      const away = round % 2 === 0;
      const custom = { ...free, custom: true, limits: null };
      const gone = away ? one.registry.deletePlan('free', change) : one.registry.putPlan(custom, change);
      const results = await Promise.allSettled([gone, two.registry.createKey(newKey(), change)]);
      expect(succeeded(results)).toBe(1);
      for (const { id } of (await one.registry.listKeys({}, { limit: 100 })).items) {
        await one.registry.updateKey(id, { status: 'revoked' }, change);
      }
      await one.registry.putPlan(free, change);
    }
  });

  test('the same key rotated twice, the same id made twice: one wins', async () => {
    await one.registry.seedPlans([free], change);
    const key = newKey();
    const made = await Promise.allSettled([one, two].map(({ registry }) => registry.createKey(key, change)));
    expect(succeeded(made)).toBe(1);
    const rotations = [one, two].map(({ registry }) => registry.rotateKey(key.id, successor(), change.at, change));
    expect(succeeded(await Promise.allSettled(rotations))).toBe(1);
    expect((await two.registry.listKeys({}, { limit: 100 })).items).toHaveLength(2);
  });

  test('an empty registry is seeded by one', async () => {
    const seeds = [one, two, one, two].map(({ registry }) => registry.seedPlans([free, pro], change));
    expect((await Promise.all(seeds)).filter(Boolean)).toHaveLength(1);
    expect((await one.registry.listAudit({}, { limit: 100 })).items).toHaveLength(2);
  });

  test('a plan put while the registry is seeded is not overwritten', async () => {
    const own = { ...free, name: 'agreed' };
    await Promise.all([one.registry.seedPlans([free], change), two.registry.putPlan(own, change)]);
    expect(await one.registry.getPlan('free')).toMatchObject(own);
  });
});

describe('what others changed', () => {
  test('is heard of well within a second, once', async () => {
    await one.registry.seedPlans([free], change);
    const { id, hash } = await one.registry.createKey(newKey(), change);
    await until(() => two.told.some((what) => 'hash' in what && what.hash === hash));
    two.told.length = one.told.length = 0;

    const started = performance.now();
    await one.registry.updateKey(id, { status: 'revoked' }, change);
    expect(one.told).toEqual([{ kind: 'key', hash }]);
    await until(() => two.told.length > 0);
    expect(performance.now() - started).toBeLessThan(500);
    await one.registry.putPlan({ ...free, name: 'other' }, change);
    await until(() => two.told.length > 1);
    expect(two.told).toEqual([{ kind: 'key', hash }, { kind: 'all' }]);
    expect(one.told).toEqual(two.told);
  });

  test('may have been missed while the subscription was lost: all, once it is back', async () => {
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(() => one.told.length > 0 && two.told.length > 0);
    expect(one.told).toEqual([{ kind: 'all' }]);
    await one.registry.putPlan(free, change);
    await until(() => two.told.length > 1);
  });

  test('and was missed without a word is found out by its number', async () => {
    await two.close();
    two = await openRedisRegistry(server.url, 'tg', { lookEvery: 50 });
    // As where a cluster client moves the subscription to another node.
    await two.subscriber.unsubscribe(channel);
    await one.registry.putPlan(free, change);
    await until(() => two.told.length > 0);
    expect(two.told).toEqual([{ kind: 'all' }]);
    await two.subscriber.subscribe(channel);
    await one.registry.putPlan(pro, change);
    await until(() => two.told.length > 1);
    expect(two.told).toHaveLength(2);
  });

  test('a gap in the numbers is all', async () => {
    await one.registry.seedPlans([free], change);
    await until(() => two.told.length > 0);
    await two.subscriber.unsubscribe(channel);
    await one.registry.createKey(newKey(), change);
    await two.subscriber.subscribe(channel);
    two.told.length = 0;
    await one.registry.createKey(newKey(), change);
    await until(() => two.told.length > 0);
    expect(two.told).toEqual([{ kind: 'all' }]);
  });

  test('data that Redis lost is all', async () => {
    await two.close();
    two = await openRedisRegistry(server.url, 'tg', { lookEvery: 50 });
    await one.registry.putPlan(free, change);
    await until(() => two.told.length > 0);
    two.told.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(two.told).toEqual([]);
    await server.client.flushall();
    await until(() => two.told.length > 0);
    expect(await two.registry.getPlan('free')).toBeNull();
  });
});

describe('what is in Redis', () => {
  test('installations do not meet', async () => {
    const other = await openRedisRegistry(server.url, 'tg2');
    try {
      expect(await one.registry.seedPlans([free], change)).toBe(true);
      expect(await other.registry.seedPlans([pro], change)).toBe(true);
      const key = newKey();
      await one.registry.createKey(key, change);
      expect(await other.registry.getKey(key.id)).toBeNull();
      expect(await other.registry.listPlans()).toHaveLength(1);
      expect((await other.registry.listAudit({}, { limit: 10 })).items).toHaveLength(1);
      await until(() => two.told.length > 1);
      expect(other.told).toEqual([{ kind: 'all' }]);
    } finally {
      await other.close();
    }
  });

  test('has one hash tag, and no secret', async () => {
    const [first, second] = [generateSecret(), generateSecret()];
    const key = { ...newKey(tracesOf(first)), secret: first };
    await one.registry.seedPlans([free, enterprise], change);
    await one.registry.createKey(key, change);
    await one.registry.updateKey(key.id, { metadata: { team: 'zoo' } }, change);
    await one.registry.rotateKey(key.id, { ...successor(), ...tracesOf(second) }, change.at, change);
    const names = await server.client.keys('*');
    expect(names.every((name) => name.startsWith('tg:{registry}:'))).toBe(true);
    const dumps = await Promise.all(names.map((name) => server.client.dumpBuffer(name)));
    const texts = await Promise.all((await server.client.keys('*:key:*')).map((name) => server.client.get(name)));
    const everything = [...names, ...dumps.map(String), ...texts].join('\n');
    expect(everything).toContain(key.id);
    expect(everything).not.toContain(first);
    expect(everything).not.toContain(second);
  });

  test('an audit log whose clock jumped is filtered by time as exactly', async () => {
    const times = [100, 200, 5000, 300, 400, 100, 6000, 50, 7000];
    for (const at of times) {
      await one.registry.appendAudit({
        ...change,
        at,
        action: 'ban.lift',
        subject: 'key_x',
        before: null,
        after: null,
      });
    }
    for (const [from, to] of [
      [0, 100],
      [100, 301],
      [50, 51],
      [300, 6000],
      [401, 5000],
      [7001, 9000],
    ] as const) {
      const { items } = await two.registry.listAudit({ from, to }, { limit: 100 });
      expect(items.map(({ at }) => at)).toEqual(times.filter((at) => at >= from && at < to).toReversed());
      const { items: some } = await two.registry.listAudit({ from, to, actor: 'test', subject: 'key_x' }, { limit: 1 });
      expect(some).toEqual(items.slice(0, 1));
    }
  });
});

test('a refusal says what to do', async () => {
  await one.registry.seedPlans([free], change);
  await one.registry.createKey(newKey(), change);
  await expect(two.registry.deletePlan('free', change)).rejects.toEqual(code('plan_in_use'));
  const double = newKey();
  await expect(two.registry.createKeys([double, double], change)).rejects.toEqual(code('conflict'));
});
