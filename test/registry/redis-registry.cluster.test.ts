import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/admission/store.ts';
import { until } from '../support/log-lines.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { openRedisRegistry } from '../support/redis-registries.ts';
import { free, newKey, pro } from '../support/registry-data.ts';

/** What only a cluster does to a registry. */
let cluster: Awaited<ReturnType<typeof startCluster>>;
beforeAll(async () => {
  cluster = await startCluster();
}, 30_000);
afterAll(() => cluster.stop());

const change = { actor: 'test', reason: null, at: 1_700_000_000_000 };

test('a subscription that moves to another node without a word misses nothing', async () => {
  const one = await openRedisRegistry(cluster.url);
  const two = await openRedisRegistry(cluster.url, 'tg', { lookEvery: 200 });
  await one.registry.seedPlans([free], change);
  await until(() => two.told.length > 0);

  two.told.length = 0;
  await Promise.all(cluster.nodes.map(({ client }) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')));
  await one.registry.putPlan({ ...free, name: 'other' }, change);
  await until(() => two.told.some(({ kind }) => kind === 'all'));

  const { hash } = await one.registry.createKey(newKey(), change);
  await until(() => two.told.some((what) => what.kind === 'all' || what.hash === hash));
  await one.close();
  await two.close();
});

test('a cluster that has lost a node is unavailable, and still announces nothing that was not made', async () => {
  const one = await openRedisRegistry(cluster.url, 'tg', { timeouts: { change: 1000 } });
  const [name] = (await Promise.all(cluster.nodes.map(({ client }) => client.keys('tg:*')))).flat();
  const slot = await cluster.nodes[0]!.client.cluster('KEYSLOT', name!);
  await cluster.nodes[[0, 5461, 10_923].findLastIndex((start) => slot >= start)]!.kill();
  one.told.length = 0;
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(one.registry.putPlan(pro, change)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(one.registry.findKeyByHash('x')).rejects.toBeInstanceOf(StoreUnavailable);
  }
  expect(one.told).toEqual([]);
  await one.close();
});
