import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet } from '../support/fleet/fleet.ts';
import { until } from '../support/until.ts';
import { startCluster } from '../support/servers/redis-cluster.ts';
import { type SharedStorage, openSharedStorage } from '../support/fleet/shared-storage.ts';

const HOUR = 3_600_000;

let storage: SharedStorage;
let fleet: Fleet;

beforeAll(async () => {
  storage = await openSharedStorage();
  fleet = await Fleet.start(4, {
    ...storage.locations,
    // Long, so that a slow machine does not look like an outage of Redis, in which each gateway counts locally.
    settings: { replicas: 4, redis: { commandTimeout: '2s' } },
    // The clocks differ by more than the longest window.
    clockSkew: [0, HOUR, -HOUR, 24 * HOUR],
  });
});
afterAll(async () => {
  await fleet.stop();
  await storage.release();
});

test('with 4 gateways and 1 key, exactly the limit of 10,000 concurrent requests is admitted and charged', async () => {
  const { secret } = await fleet.createKey(100);
  // On a busy machine, looking up the key can fail, so repeat it until it works before the test begins.
  for (const { get } of fleet.members) await until(async () => (await get('/_gateway/usage', secret)).status === 200);
  const responses = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => fleet.members[index % 4]!.get('/pets', secret)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(responses.filter(({ status }) => status !== 200 && status !== 429 && status !== 403)).toHaveLength(0);
  expect(responses.filter(({ headers }) => headers['x-ratelimit-degraded'] !== undefined)).toHaveLength(0);
  expect(await fleet.readUsage(secret)).toEqual({ minute: 100, day: 100 });
});

test('gateways whose clocks differ by hours report the same windows', async () => {
  const { secret } = await fleet.createKey(10);
  const resets = [];
  for (let index = 0; index < 12; index++) {
    const { status, headers } = await fleet.members[index % 4]!.get('/pets', secret);
    expect(status).toBe(index < 10 ? 200 : 429);
    expect(headers['x-ratelimit-remaining']).toBe(String(Math.max(0, 9 - index)));
    resets.push(headers['x-ratelimit-reset']);
  }
  expect(new Set(resets).size).toBe(1);
});

test('limits are also exact on a Redis Cluster, for keys on every node', async () => {
  const cluster = await startCluster();
  const gateways = await Fleet.start(2, {
    store: cluster.url,
    database: await storage.postgres.borrowDatabase(),
    settings: { redis: { commandTimeout: '2s' } },
  });
  try {
    const keys = await Promise.all(Array.from({ length: 9 }, () => gateways.createKey(20)));
    for (const { secret } of keys) {
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) => gateways.members[index % 2]!.get('/pets', secret)),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    }
    const kept = await Promise.all(cluster.nodes.map(({ client }) => client.keys('tg:q:*')));
    expect(kept.flat()).toHaveLength(9);
    expect(kept.filter((names) => names.length > 0).length).toBeGreaterThan(1);
  } finally {
    await gateways.stop();
    await cluster.stop();
  }
});
