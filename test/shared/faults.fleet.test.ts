import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type MemberResponse, Fleet, type FleetOptions } from '../support/fleet/fleet.ts';
import { until } from '../support/until.ts';
import { RedisServer } from '../support/servers/redis-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';

const COMMAND_TIMEOUT = 100;
/** Much longer than any limited wait for Redis, even on a busy machine. Only an unlimited wait would take longer. */
const WITHOUT_LIMIT_MS = 30_000;

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});

async function startRedis(): Promise<RedisServer> {
  const redis = await RedisServer.start({ appendOnly: true });
  toClose.push(() => redis.stop());
  return redis;
}

async function startFleet(count: number, options: FleetOptions): Promise<Fleet> {
  const fleet = await Fleet.start(count, options);
  toClose.push(() => fleet.stop());
  return fleet;
}

const admitted = (responses: MemberResponse[]) => responses.filter(({ status }) => status === 200).length;
const isDegraded = ({ headers }: MemberResponse) => headers['x-ratelimit-degraded'] === 'true';

/** Durations measured by the gateways, so that a busy test process has no influence. */
const durations = (fleet: Fleet) =>
  fleet.members.flatMap(({ logged }) => logged(/^response$/).map(({ durationMs }) => Number(durationMs)));

/** Degraded counts as healthy, or a load balancer would remove all gateways at once. */
async function health(adminUrl: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${adminUrl}/readyz`);
  return { status: response.status, text: await response.text() };
}

test('if Redis is killed and restarted under load, only the local shares are admitted in excess, and no request fails', async () => {
  const [gateways, limit] = [4, 100];
  const redis = await startRedis();
  const postgres = await sharedPostgres();
  toClose.push(() => postgres.dropDatabases());
  const fleet = await startFleet(gateways, {
    store: redis.url,
    database: await postgres.borrowDatabase(),
    settings: { replicas: gateways },
  });
  const { secret } = await fleet.createKey(limit);
  const responses: MemberResponse[] = [];
  const calling = new AbortController();
  const caller = async (index: number) => {
    while (!calling.signal.aborted) {
      responses.push(await fleet.members[index % gateways]!.get('/pets', secret));
      await sleep(5);
    }
  };
  for (const { get } of fleet.members) responses.push(await get('/pets', secret));
  const callers = Array.from({ length: 2 * gateways }, (_, index) => caller(index));
  await sleep(60);
  await redis.kill();
  await sleep(1000);
  await redis.start();
  for (const { adminUrl } of fleet.members) {
    await until(async () => (await health(adminUrl)).text.includes('ready'));
  }
  // Every gateway is exact again.
  for (const { get } of fleet.members) {
    await until(async () => {
      const response = await get('/pets', secret);
      responses.push(response);
      return !isDegraded(response);
    });
  }
  calling.abort();
  await Promise.all(callers);

  const share = Math.floor(limit / gateways);
  expect(responses.some(isDegraded)).toBe(true);
  const exactlyAdmitted = admitted(responses.filter((response) => !isDegraded(response)));
  expect(exactlyAdmitted).toBeLessThanOrEqual(limit);
  expect(admitted(responses)).toBeLessThanOrEqual(limit + gateways * share);
  // Only requests that were in flight when Redis died can be charged without a response.
  const { minute = 0 } = await fleet.readUsage(secret);
  expect(minute).toBeGreaterThanOrEqual(exactlyAdmitted);
  expect(minute).toBeLessThanOrEqual(limit);
  expect(responses.every(({ status }) => [200, 403, 429].includes(status))).toBe(true);
  expect(Math.max(...durations(fleet))).toBeLessThan(WITHOUT_LIMIT_MS);
  expect(fleet.members.every(({ child }) => child.exitCode === null && child.signalCode === null)).toBe(true);
});

test('requests are limited by local counters while Redis hangs, and by exact limits afterwards', async () => {
  const redis = await startRedis();
  const fleet = await startFleet(1, { store: redis.url, settings: { replicas: 2 } });
  const [gateway] = fleet.members;
  const { get, adminUrl, logged } = gateway!;
  const { secret } = await fleet.createKey(10);
  const { secret: unknown } = await fleet.createKey(10);
  await get('/pets', secret);

  redis.pause();
  const [first, second] = [await get('/pets', secret), await get('/pets', secret)];
  expect([first, second].every(isDegraded)).toBe(true);
  expect(second.headers['x-ratelimit-limit']).toBe('5');
  const third = await get('/pets', unknown);
  expect([third.status, isDegraded(third)]).toEqual([200, true]);
  expect(await health(adminUrl)).toEqual({ status: 200, text: expect.stringContaining('degraded') });

  redis.resume();
  await until(async () => !isDegraded(await get('/_gateway/usage', secret)));
  expect(await fleet.readUsage(secret)).toEqual({ minute: 1, day: 1 });
  expect((await get('/pets', unknown)).status).toBe(200);
  expect(await health(adminUrl)).toEqual({ status: 200, text: expect.stringContaining('ready') });

  const served = ({ operation, status }: Record<string, unknown>) => operation === 'listPets' && status === 200;
  await until(() => logged(/^response$/).filter(served).length === 5);
  const [slow, ...quick] = logged(/^response$/)
    .filter(served)
    .slice(1);
  expect(Number(slow?.['durationMs'])).toBeLessThan(WITHOUT_LIMIT_MS);
  // The later requests did not wait for Redis. The fastest of them proves that, because a busy machine can delay the
  // others.
  expect(Math.min(...quick.map(({ durationMs }) => Number(durationMs)))).toBeLessThan(COMMAND_TIMEOUT);
  expect(logged(/^limits are not exact/)).toHaveLength(1);
  await until(async () => logged(/^limits are exact again/).length > 0);
  expect(logged(/^limits are exact again/)).toHaveLength(1);
});

test('a gateway started while Redis is unavailable counts locally until Redis is back', async () => {
  const redis = await startRedis();
  await redis.kill();
  const fleet = await startFleet(1, { store: redis.url });
  const { get, adminUrl } = fleet.members[0]!;
  expect(await health(adminUrl)).toEqual({ status: 200, text: expect.stringContaining('degraded') });
  const { secret } = await fleet.createKey(10);
  const counted = await get('/pets', secret);
  expect([counted.status, isDegraded(counted)]).toEqual([200, true]);
  await redis.start();
  await until(async () => (await health(adminUrl)).text.includes('ready'));
  await until(async () => !isDegraded(await get('/pets', secret)));
});

test('a gateway stops cleanly while Redis is unavailable', async () => {
  const redis = await startRedis();
  const fleet = await startFleet(1, { store: redis.url });
  const gateway = fleet.members[0]!;
  const { secret } = await fleet.createKey(10);
  await gateway.get('/pets', secret);
  await redis.kill();
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
});
