/**
 * A key is rotated until quiet, with two gateways whose clock the test sets. The old key must not end while a gateway
 * has not reported which keys it served, whether that gateway is running, stopped, or cut off from the database.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { endQuietRotations } from '../../src/control-plane/registry/quiet-rotations.ts';
import type { Database } from '../../src/storage/database.ts';
import { openReadyPostgres } from '../support/servers/open-postgres.ts';
import { type SharedStorage, openSharedStorage } from '../support/fleet/shared-storage.ts';
import { startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { query } from '../support/servers/postgres-databases.ts';
import { until } from '../support/until.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/servers/postgres-proxy.ts';

const DAY = 86_400_000;
const QUIET_FOR = 3 * DAY;
const CLIENT = '203.0.113.77';

let storage: SharedStorage;
let proxy: PostgresProxy;
let database: Database;
/** The time is not a full minute, because last uses are rounded to the minute. */
let now = Date.UTC(2026, 5, 15, 12, 0, 30);
const gateways: TestGateway[] = [];

beforeAll(async () => {
  storage = await openSharedStorage();
  proxy = await startPostgresProxy(storage.postgres.port);
  database = await openReadyPostgres(storage.locations.database, pino({ level: 'silent' }));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await database.close();
  proxy.stop();
  await storage.release();
});

async function start(location = storage.locations.database): Promise<TestGateway> {
  const gateway = await startTestGateway({
    clock: () => now,
    lastUsesFlushMs: 100,
    env: { TOLLGATE_DATABASE: location, TOLLGATE_STORE: storage.locations.store },
    settings: {
      demo: false,
      rotation: { quietFor: '3d', maxGrace: '10d' },
      trustedProxies: ['127.0.0.1'],
      redis: { commandTimeout: '2s' },
    },
  });
  gateways.push(gateway);
  return gateway;
}

async function stop(gateway: TestGateway): Promise<void> {
  gateways.splice(gateways.indexOf(gateway), 1);
  await gateway.stop();
}

// oxlint-disable-next-line typescript/no-explicit-any -- the tests assert what they expect
async function admin(gateway: TestGateway, method: string, path: string, body?: object): Promise<any> {
  const response = await gateway.admin(path, { method, ...(body && { body: JSON.stringify(body) }) });
  expect(response.status).toBeLessThan(300);
  return response.json();
}

async function rotate(gateway: TestGateway) {
  const old = await admin(gateway, 'POST', '/v1/keys', { name: 'a', owner: 'acme', plan: 'free' });
  const fresh = await admin(gateway, 'POST', `/v1/keys/${old.id}/rotate`, { graceUntil: 'quiet' });
  return { old, fresh };
}

const call = (gateway: TestGateway, key: string) =>
  gateway.call('/pets', { key, headers: { 'X-Forwarded-For': CLIENT } });
const readStatus = async (gateway: TestGateway, key: string) => (await call(gateway, key)).status;

/** Ends quiet rotations like the hourly task of a gateway. */
const endNow = () => endQuietRotations(database, { quietForMs: QUIET_FOR, staleForMs: 900_000 }, now, () => false);

/** Waits until the last use of a key is recorded. */
async function useRecorded(gateway: TestGateway, id: string): Promise<void> {
  const minute = new Date(now - (now % 60_000)).toISOString();
  await until(async () => (await admin(gateway, 'GET', `/v1/keys/${id}`)).lastUsedAt === minute);
}

/** Waits until all gateways have recorded all uses up to now. */
async function allReported(): Promise<void> {
  const before = await query(
    storage.locations.database,
    `SELECT max(extract(epoch FROM now()) * 1000) AS now FROM gateways`,
  );
  await until(async () => {
    const [row] = await query(
      storage.locations.database,
      `SELECT min(coalesce(uses_reported_at, 0)) AS until FROM gateways WHERE stopped_at IS NULL`,
    );
    return Number(row?.['until']) >= Number(before[0]?.['now']);
  });
}

/** Waits until this number of gateways is running. Returns their ids. */
async function runningIds(count: number): Promise<string[]> {
  let ids: string[] = [];
  await until(async () => {
    const rows = await query(storage.locations.database, 'SELECT id FROM gateways WHERE stopped_at IS NULL');
    ids = rows.map(({ id }) => String(id));
    return ids.length === count;
  });
  return ids;
}

test('the old key expires at all gateways once none has served it for the quiet period, even if one was restarted', async () => {
  const [here, there] = [await start(), await start()];
  const { old, fresh } = await rotate(here);
  const latest = 'Thu, 25 Jun 2026 12:00:30 GMT';
  expect((await call(there, old.key)).headers.get('X-Key-Expires')).toBe(latest);
  expect((await call(there, fresh.key)).headers.get('X-Key-Expires')).toBeNull();

  now += 2 * DAY;
  expect(await readStatus(there, old.key)).toBe(200);
  // A gateway records the uses of its keys before it stops.
  await stop(there);
  await useRecorded(here, old.id);
  const shown = await admin(here, 'GET', `/v1/keys/${fresh.id}`);
  expect(shown.replaced).toMatchObject([{ id: old.id, grace: { until: 'quiet', lastUsedFrom: '203.0.113.0/24' } }]);
  now += 2 * DAY;
  await allReported();
  expect(await endNow()).toBe(0);

  const again = await start();
  expect(await readStatus(again, old.key)).toBe(200);
  await useRecorded(here, old.id);
  now += QUIET_FOR;
  await allReported();
  expect(await endNow()).toBe(0);
  now += 2 * 60_000 + 1;
  expect(await endNow()).toBe(1);
  for (const gateway of [here, again]) {
    await until(async () => (await call(gateway, old.key)).status === 401);
    expect(await (await call(gateway, old.key)).json()).toMatchObject({ code: 'key_expired' });
    expect(await readStatus(gateway, fresh.key)).toBe(200);
  }
  const events = await admin(here, 'GET', `/v1/events?subject=${old.id}&type=key.retired`);
  expect(events.items).toMatchObject([{ data: { cause: 'quiet', replacedBy: fresh.id } }]);
  await stop(again);
  await stop(here);
});

test('a gateway without its database delays the expiry of the old key, at most until the deadline', async () => {
  const here = await start();
  const [first] = await runningIds(1);
  const there = await start(proxy.through(storage.locations.database));
  const cutOff = (await runningIds(2)).find((id) => id !== first);
  const { old, fresh } = await rotate(here);
  expect([await readStatus(here, fresh.key), await readStatus(there, old.key)]).toEqual([200, 200]);
  await useRecorded(here, old.id);
  await allReported();
  proxy.redirectTo(1);
  // Only this gateway knows of this use of the key.
  expect(await readStatus(there, old.key)).toBe(200);
  now += QUIET_FOR + DAY;
  // The clock of the database cannot be set, so move the last report back instead.
  await query(
    storage.locations.database,
    `UPDATE gateways SET uses_reported_at = uses_reported_at - ${QUIET_FOR + DAY} WHERE id = '${cutOff}'`,
  );
  expect(await endNow()).toBe(0);
  expect(await readStatus(here, old.key)).toBe(200);
  now += 6 * DAY;
  expect(await endNow()).toBe(1);
  expect(await readStatus(here, old.key)).toBe(401);
  proxy.redirectTo(storage.postgres.port);
  await until(async () => (await call(there, old.key)).status === 401);
});
