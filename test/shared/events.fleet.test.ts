/** Events of several gateways that share their storage. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hostname } from 'node:os';
import { Fleet } from '../support/fleet/fleet.ts';
import type { PostgresDatabases } from '../support/servers/postgres-databases.ts';
import { RedisServer } from '../support/servers/redis-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { until } from '../support/until.ts';

let redis: RedisServer;
let postgres: PostgresDatabases;
let fleet: Fleet;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([RedisServer.start({ appendOnly: true }), sharedPostgres()]);
  const locations = { store: redis.url, database: await postgres.borrowDatabase() };
  fleet = await Fleet.start(3, { ...locations, settings: { redis: { commandTimeout: '2s' } } });
});
afterAll(async () => {
  await fleet.stop();
  await redis.stop();
  await postgres.dropDatabases();
});

interface EventItem {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function eventsOf(query: string): Promise<EventItem[]> {
  const { status, body } = await fleet.members[0]!.admin('GET', `/events?limit=100&${query}`);
  expect(status).toBe(200);
  return (body['items'] as EventItem[]).toReversed();
}

test('a window filled by three gateways has one event at 80%, and one when it is full', async () => {
  const { id, secret } = await fleet.createKey(50);
  const calls = Array.from({ length: 150 }, (_, index) => fleet.members[index % 3]!.get('/pets', secret));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  const levels = async () =>
    (await eventsOf(`type=quota.threshold&subject=${id}`)).map(({ data: { window, level } }) => [window, level]);
  await until(async () => (await levels()).length >= 2);
  expect(await levels()).toEqual([
    ['minute', 80],
    ['minute', 100],
  ]);
  // Wait until no gateway has an event left to write.
  await Promise.all(fleet.members.map((member) => member.get('/pets', secret)));
  await until(async () => (await queued()).every((count) => count === 0));
  expect(await levels()).toHaveLength(2);
});

test('each gateway reports an unavailable store and its recovery', async () => {
  const { secret } = await fleet.createKey(1000);
  const [first, second] = fleet.members;
  await redis.kill();
  for (const member of [first!, second!]) expect((await member.get('/pets', secret)).status).toBe(200);
  await until(async () => (await eventsOf('type=store.degraded')).length === 2);
  for (const { data } of await eventsOf('type=store.degraded')) {
    expect(data).toEqual({ host: hostname(), reason: expect.any(String) });
  }
  await redis.start();
  await until(async () => (await eventsOf('type=store.recovered')).length === 2);
  for (const { data } of await eventsOf('type=store.recovered')) {
    expect(data).toEqual({ host: hostname(), degradedForMs: expect.any(Number) });
  }
});

/** The number of events that each gateway has not written yet. */
function queued(): Promise<number[]> {
  return Promise.all(
    fleet.members.map(async ({ adminUrl }) => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      return Number(/^tollgate_events_queued (\d+)$/m.exec(text)?.[1]);
    }),
  );
}
