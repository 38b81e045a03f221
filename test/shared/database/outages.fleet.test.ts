import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DatabaseFaults } from '../../support/fleet/database-faults.ts';
import { until } from '../../support/until.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

/**
 * PostgreSQL is unavailable: killed, hanging or restarting. Cached keys work, unknown keys and changes get 503, and the
 * gateways recover by themselves.
 */
let faults: DatabaseFaults;

beforeAll(async () => {
  faults = await DatabaseFaults.start();
});
beforeEach(() => faults.prepare());
afterEach(() => faults.reset());
afterAll(() => faults.stop());

test('if the database is killed under load, no request with a known key fails and no confirmed change is lost', async () => {
  await faults.startGateways(2);
  const keys = await Promise.all(Array.from({ length: 5 }, () => faults.fleet.createKey(1_000_000, 1_000_000)));
  const over = new AbortController();
  const statuses: number[] = [];
  const changed: { id: string; name: string }[] = [];
  const changeStatuses = new Set<number>();
  // A key with an unconfirmed change is read again, so these keys are not changed.
  const calledKeys = await Promise.all(Array.from({ length: 5 }, () => faults.fleet.createKey(1_000_000, 1_000_000)));
  for (const { secret } of calledKeys) for (const { get } of faults.fleet.members) await get('/pets', secret);
  const calling = faults.fleet.members.map(async ({ get }) => {
    for (let index = 0; !over.signal.aborted; index++) {
      statuses.push((await get('/pets', calledKeys[index % 5]!.secret)).status);
    }
  });
  const changing = keys.map(async ({ id }, which) => {
    for (let index = 0; !over.signal.aborted; index++) {
      const name = `name ${index}`;
      const { status } = await faults.fleet.members[which % 2]!.admin('PATCH', `/keys/${id}`, { name });
      changeStatuses.add(status);
      if (status === 200) changed.push({ id, name });
      await sleep(5);
    }
  });
  const allChange = async () => {
    const before = changed.length;
    await until(() => keys.every(({ id }) => changed.slice(before).some((change) => change.id === id)));
  };
  await allChange();
  await faults.postgres.kill();
  await until(() => changeStatuses.has(503));
  await sleep(1500);
  await faults.postgres.start();
  await until(() => faults.isReady());
  await allChange();
  over.abort();
  await Promise.all([...calling, ...changing]);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(changeStatuses).toEqual(new Set([200, 503]));
  for (const { id } of keys) {
    const { body } = await faults.gateway.admin('GET', `/audit?subject=${id}&limit=100&action=key.update`);
    const names = (body['items'] as { after: { name: string } }[]).map(({ after }) => after.name);
    const confirmedNames = changed.filter((change) => change.id === id).map(({ name }) => name);
    // The page has the newest 100 entries. It must contain every confirmed change since its oldest entry.
    const kept = confirmedNames.slice(confirmedNames.indexOf(names.at(-1)!));
    expect(names).toEqual(expect.arrayContaining(kept));
    expect((await faults.gateway.admin('GET', `/keys/${id}`)).body['name']).toBe(names[0]);
  }
});

test('if the database hangs, no request waits for long and the outage is logged once', async () => {
  await faults.startGateways();
  const [known, unknown] = await faults.twoKeys();
  faults.postgres.pause();
  const stopwatch = startStopwatch();
  expect((await faults.gateway.get('/pets', unknown)).status).toBe(503);
  expect(stopwatch.stop()).toBeLessThan(30_000);
  await until(() => faults.isDegraded());
  await faults.expectOutage(known, unknown);
  const quick = startStopwatch();
  for (let call = 0; call < 20; call++) await faults.gateway.get('/pets', unknown);
  // If each request waited for the time limit of a statement, all of them together would take longer.
  expect(quick.stop()).toBeLessThan(10_000);
  await sleep(3000);
  expect(faults.warnings()).toHaveLength(1);
  faults.postgres.resume();
  await faults.expectRecovery(known, unknown);
  await until(() => faults.gateway.logged(/^PostgreSQL is available again/).length === 1);
});

test('if the database is restarted, the outage is logged once at its start and once at its end', async () => {
  await faults.startGateways();
  const [known, unknown] = await faults.twoKeys();
  await faults.postgres.shutDown();
  await until(() => faults.isDegraded());
  await faults.expectOutage(known, unknown);
  const metrics = await (await fetch(`${faults.gateway.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tollgate_database_up 0$/m);
  const { body } = await faults.gateway.admin('GET', '/system');
  const shared = (body['components'] as { kind: string; state: string; cause: string }[]).filter(
    ({ kind }) => kind === 'postgres',
  );
  expect(shared).toMatchObject(['records', 'history', 'webhooks'].map((name) => ({ name, state: 'away' })));
  expect(new Set(shared.map(({ cause }) => cause)).size).toBe(1);
  await faults.postgres.start();
  await faults.expectRecovery(known, unknown);
  await until(() => faults.gateway.logged(/^PostgreSQL is available again/).length === 1);
  expect(faults.gateway.child.exitCode).toBeNull();
});

test('known keys work for registry.staleFor, and no longer', async () => {
  await faults.startGateways(1, { settings: { registry: { staleFor: '4s' } } });
  const [known] = await faults.twoKeys();
  await faults.postgres.kill();
  await until(() => faults.isDegraded());
  expect((await faults.gateway.get('/pets', known.secret)).status).toBe(200);
  await until(async () => (await faults.gateway.get('/pets', known.secret)).status === 503);
});
