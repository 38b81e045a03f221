/** Several gateways that share their storage also share their events. */
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
  fleet = await Fleet.start(2, { ...locations, settings: { redis: { commandTimeout: '2s' } } });
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

async function listEvents(query: string): Promise<EventItem[]> {
  const { status, body } = await fleet.members[0]!.admin('GET', `/events?limit=100&${query}`);
  expect(status).toBe(200);
  return (body['items'] as EventItem[]).toReversed();
}

test('each gateway reports an unavailable store and its recovery', async () => {
  const { secret } = await fleet.createKey(1000);
  const [first, second] = fleet.members;
  await redis.kill();
  for (const member of [first!, second!]) expect((await member.get('/pets', secret)).status).toBe(200);
  await until(async () => (await listEvents('type=store.degraded')).length === 2);
  for (const { data } of await listEvents('type=store.degraded')) {
    expect(data).toEqual({ host: hostname(), reason: expect.any(String) });
  }
  await redis.start();
  await until(async () => (await listEvents('type=store.recovered')).length === 2);
  for (const { data } of await listEvents('type=store.recovered')) {
    expect(data).toEqual({ host: hostname(), degradedForMs: expect.any(Number) });
  }
});
