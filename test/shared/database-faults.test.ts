import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSecret } from '../../src/registry/keys/key-format.ts';
import { Fleet, type Member } from '../support/gateway/fleet.ts';
import { until } from '../support/log-lines.ts';
import { startPostgresProxy } from '../support/servers/postgres-proxy.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { type SharedStorage, startSharedStorage } from '../support/gateway/shared-storage.ts';
import { startStopwatch } from '../support/stopwatch.ts';

/**
 * What PostgreSQL can do to a gateway: die, stand still, restart, refuse changes, have no connection left. Known keys
 * go on, unknown ones are asked to come back, changes are refused with 503, and all is well again by itself.
 */
let storage: SharedStorage;
let fleet: Fleet;
let gateway: Member;

beforeEach(async () => {
  storage = await startSharedStorage({ postgres: { durable: true } });
}, 60_000);
afterEach(async () => {
  await fleet?.stop();
  await storage.stop();
});

async function startGateways(count = 1, settings: Record<string, unknown> = {}): Promise<void> {
  fleet = await Fleet.start(count, { ...storage.locations, settings });
  gateway = fleet.members[0]!;
}

const health = async () => {
  const response = await fetch(`${gateway.adminUrl}/readyz`);
  return { status: response.status, text: await response.text() };
};
const isReady = async () => (await health()).text.includes('ready');
const rename = (id: string, name: string) => gateway.admin('PATCH', `/keys/${id}`, { name });
const warnings = () => gateway.logged(/PostgreSQL/).filter(({ level }) => Number(level) >= 40);

/** What an outage means to consumers and operators. */
async function expectOutage(known: { id: string; secret: string }, unknown: string): Promise<void> {
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
  const refused = await gateway.get('/pets', unknown);
  expect(refused).toMatchObject({ status: 503, code: 'store_unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await rename(known.id, 'other')).status).toBe(503);
  expect(await health()).toEqual({ status: 200, text: expect.stringContaining('degraded') });
}

async function expectRecovery(known: { id: string; secret: string }, unknown: string): Promise<void> {
  await until(isReady, 8000);
  expect((await gateway.get('/pets', unknown)).status).toBe(200);
  expect((await rename(known.id, 'after')).status).toBe(200);
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
}

/** One key that the gateway has seen, and one that it has not. */
async function twoKeys(): Promise<[{ id: string; secret: string }, string]> {
  const known = await fleet.createKey(100_000);
  const { secret: unknown } = await fleet.createKey(100_000);
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
  return [known, unknown];
}

test('killed under load: no request of a known key fails, and no change that was answered is lost', async () => {
  await startGateways(2);
  const keys = await Promise.all(Array.from({ length: 5 }, () => fleet.createKey(1_000_000, 1_000_000)));
  const over = new AbortController();
  const statuses: number[] = [];
  const changed: { id: string; name: string }[] = [];
  const changeStatuses = new Set<number>();
  // A key whose change may have been made is read again, and so not one of those that are called.
  const calledKeys = await Promise.all(Array.from({ length: 5 }, () => fleet.createKey(1_000_000, 1_000_000)));
  for (const { secret } of calledKeys) for (const { get } of fleet.members) await get('/pets', secret);
  const calling = fleet.members.map(async ({ get }) => {
    for (let index = 0; !over.signal.aborted; index++) {
      statuses.push((await get('/pets', calledKeys[index % 5]!.secret)).status);
    }
  });
  const changing = keys.map(async ({ id }, which) => {
    for (let index = 0; !over.signal.aborted; index++) {
      const name = `name ${index}`;
      const { status } = await fleet.members[which % 2]!.admin('PATCH', `/keys/${id}`, { name });
      changeStatuses.add(status);
      if (status === 200) changed.push({ id, name });
      await sleep(5);
    }
  });
  await sleep(500);
  await storage.postgres.kill();
  await sleep(1500);
  await storage.postgres.start();
  await until(isReady, 10_000);
  await sleep(300);
  over.abort();
  await Promise.all([...calling, ...changing]);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(changeStatuses).toEqual(new Set([200, 503]));
  for (const { id } of keys) {
    const { body } = await gateway.admin('GET', `/audit?subject=${id}&limit=100&action=key.update`);
    const names = (body['items'] as { after: { name: string } }[]).map(({ after }) => after.name);
    const answered = changed.filter((change) => change.id === id).map(({ name }) => name);
    // The page holds the newest 100: of those that were answered, all that came after the oldest of it.
    const kept = answered.slice(answered.indexOf(names.at(-1)!));
    expect(names).toEqual(expect.arrayContaining(kept));
    expect((await gateway.admin('GET', `/keys/${id}`)).body['name']).toBe(names[0]);
  }
}, 60_000);

test('standing still: nobody waits for it for long, and the log says it once', async () => {
  await startGateways();
  const [known, unknown] = await twoKeys();
  storage.postgres.pause();
  const stopwatch = startStopwatch();
  expect((await gateway.get('/pets', unknown)).status).toBe(503);
  expect(stopwatch.stop()).toBeLessThan(3000);
  await until(async () => (await health()).text.includes('degraded'), 8000);
  await expectOutage(known, unknown);
  const quick = startStopwatch();
  for (let call = 0; call < 20; call++) await gateway.get('/pets', unknown);
  expect(quick.stop()).toBeLessThan(1000);
  await sleep(3000);
  expect(warnings()).toHaveLength(1);
  storage.postgres.resume();
  await expectRecovery(known, unknown);
  await until(() => gateway.logged(/^PostgreSQL answers again/).length === 1);
}, 60_000);

test('restarted: one line that it went, one that it is back', async () => {
  await startGateways();
  const [known, unknown] = await twoKeys();
  await storage.postgres.shutDown();
  await until(async () => (await health()).text.includes('degraded'), 3000);
  await expectOutage(known, unknown);
  const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tollgate_database_up 0$/m);
  await storage.postgres.start();
  await expectRecovery(known, unknown);
  await until(() => gateway.logged(/^PostgreSQL answers again/).length === 1);
  expect(gateway.child.exitCode).toBeNull();
}, 60_000);

test('known keys go on for registry.staleFor, and no longer', async () => {
  await startGateways(1, { registry: { staleFor: '4s' } });
  const [known] = await twoKeys();
  await storage.postgres.kill();
  await until(async () => (await health()).text.includes('degraded'), 3000);
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
  await until(async () => (await gateway.get('/pets', known.secret)).status === 503, 6000);
}, 60_000);

test('taking no changes: keys are looked up, changes are refused, and it is told', async () => {
  await startGateways();
  const [known, unknown] = await twoKeys();
  const set = async (value: string) => {
    await storage.postgres.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await storage.postgres.query('SELECT pg_reload_conf()');
  };
  await set('on');
  await until(async () => (await health()).text.includes('degraded'), 3000);
  expect((await rename(known.id, 'other')).status).toBe(503);
  expect((await gateway.get('/pets', unknown)).status).toBe(200);
  await until(() => warnings().length > 0);
  expect(warnings()).toEqual([expect.objectContaining({ msg: expect.stringContaining('takes no changes') })]);
  await storage.postgres.query('ALTER SYSTEM RESET default_transaction_read_only');
  await storage.postgres.query('SELECT pg_reload_conf()');
  await expectRecovery(known, unknown);
}, 60_000);

test('failed over: reads go on at the standby, and changes once it is promoted', async () => {
  const standby = await PostgresServer.start({ standbyOf: storage.postgres });
  const proxy = await startPostgresProxy(storage.postgres.port);
  try {
    const database = storage.locations.database.replace(/:\d+\//, `:${proxy.port}/`);
    fleet = await Fleet.start(1, { ...storage.locations, database });
    gateway = fleet.members[0]!;
    const [known, unknown] = await twoKeys();
    await until(async () => (await standby.query('SELECT 1 FROM keys')).length === 2);
    await storage.postgres.kill();
    proxy.leadTo(standby.port);
    await until(() => warnings().some(({ failure }) => failure === 'read_only'), 8000);
    expect((await gateway.get('/pets', known.secret)).status).toBe(200);
    expect((await gateway.get('/pets', unknown)).status).toBe(200);
    expect((await rename(known.id, 'other')).status).toBe(503);
    expect((await health()).text).toContain('degraded');
    await standby.promote();
    await expectRecovery(known, unknown);
  } finally {
    proxy.stop();
    await standby.stop();
  }
}, 60_000);

test('with no connection left: what is there is used, and who needs more is asked to come back', async () => {
  await storage.postgres.query('CREATE ROLE few LOGIN SUPERUSER');
  await storage.postgres.query('ALTER ROLE few NOSUPERUSER');
  await storage.postgres.query('GRANT ALL ON SCHEMA public TO few; GRANT ALL ON DATABASE postgres TO few');
  const database = storage.locations.database.replace('postgres@', 'few@');
  fleet = await Fleet.start(1, { ...storage.locations, database });
  gateway = fleet.members[0]!;
  const [known, unknown] = await twoKeys();
  await storage.postgres.query('ALTER ROLE few CONNECTION LIMIT 1');
  await storage.postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'few'`);
  await until(
    async () => warnings().some(({ failure }) => failure === 'too_many_connections' || failure === 'unreachable'),
    5000,
  );
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
  const changes = await Promise.all(Array.from({ length: 10 }, (_, index) => rename(known.id, `${index}`)));
  expect(changes.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(changes.some(({ status }) => status === 503)).toBe(true);
  await storage.postgres.query('ALTER ROLE few CONNECTION LIMIT -1');
  await expectRecovery(known, unknown);
}, 60_000);

describe('a gateway that is started while PostgreSQL', () => {
  test('is away waits for it, unready, and says why once', async () => {
    await storage.postgres.shutDown();
    await startGateways();
    expect(await health()).toMatchObject({ status: 503, text: expect.stringContaining('starting') });
    expect(await gateway.get('/pets', generateSecret())).toMatchObject({ status: 503, code: 'store_unavailable' });
    await sleep(1500);
    expect(warnings()).toEqual([
      expect.objectContaining({ msg: expect.stringMatching(/ECONNREFUSED.*until it works/) }),
    ]);
    await storage.postgres.start();
    await until(async () => (await health()).status === 200, 8000);
    const { secret } = await fleet.createKey(10);
    expect((await gateway.get('/pets', secret)).status).toBe(200);
  }, 60_000);

  test('stands still waits for it, too', async () => {
    storage.postgres.pause();
    await startGateways();
    expect(await health()).toMatchObject({ status: 503 });
    storage.postgres.resume();
    await until(async () => (await health()).status === 200, 10_000);
  }, 60_000);

  test('does not know its user does not start', async () => {
    const database = storage.locations.database.replace('postgres@', 'nobody@');
    await expect(Fleet.start(1, { ...storage.locations, database })).rejects.toThrow(
      /tollgate: PostgreSQL refused the user.*TOLLGATE_DATABASE/,
    );
  }, 60_000);
});

test('plans that are lost are noticed, told, and found again', async () => {
  await startGateways();
  const [known, unknown] = await twoKeys();
  await storage.postgres.query('CREATE TABLE kept AS SELECT * FROM plans; DELETE FROM plans');
  await until(async () => (await health()).text.includes('degraded'), 8000);
  await until(() => gateway.logged(/^the database has no plans any more/).length === 1);
  expect((await gateway.get('/pets', known.secret)).status).toBe(200);
  expect((await gateway.get('/pets', unknown)).status).toBe(503);
  await storage.postgres.query('INSERT INTO plans SELECT * FROM kept');
  await expectRecovery(known, unknown);
}, 60_000);

test('a gateway that is stopped while PostgreSQL stands still stops cleanly, and in time', async () => {
  await startGateways();
  await twoKeys();
  storage.postgres.pause();
  gateway.child.kill('SIGTERM');
  const stopwatch = startStopwatch();
  expect(await gateway.ended()).toBe(0);
  expect(stopwatch.stop()).toBeLessThan(10_000);
}, 60_000);
