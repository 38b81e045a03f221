import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DatabaseFaults } from '../../support/fleet/database-faults.ts';
import { until } from '../../support/until.ts';
import { startPostgresProxy } from '../../support/servers/postgres-proxy.ts';
import { databaseName, query } from '../../support/servers/postgres-databases.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';

/**
 * PostgreSQL is available but restricted: it is read-only, has no free connections, or has lost the plans. Everything
 * that can work does, all other requests get 503, and the gateways recover by themselves.
 */
let faults: DatabaseFaults;

beforeAll(async () => {
  faults = await DatabaseFaults.start();
});
beforeEach(() => faults.prepare());
afterEach(() => faults.reset());
afterAll(() => faults.stop());

test('if the database is read-only, keys are looked up, changes are refused, and the state is logged', async () => {
  await faults.startGateways();
  const [known, unknown] = await faults.twoKeys();
  await faults.postgres.setReadOnly(true);
  await until(() => faults.isDegraded());
  expect((await faults.rename(known.id, 'other')).status).toBe(503);
  expect((await faults.gateway.get('/pets', unknown)).status).toBe(200);
  await until(() => faults.warnings().length > 0);
  expect(faults.warnings()).toEqual([expect.objectContaining({ msg: 'PostgreSQL is read-only' })]);
  await faults.postgres.setReadOnly(false);
  await faults.expectRecovery(known, unknown);
});

test('after a failover, the standby serves reads, and accepts changes once it is promoted', async () => {
  const standby = await PostgresServer.start({ standbyOf: faults.postgres });
  const proxy = await startPostgresProxy(faults.postgres.port);
  try {
    await faults.startGateways(1, { database: proxy.through(faults.locations.database) });
    const [known, unknown] = await faults.twoKeys();
    const copy = standby.url(databaseName(faults.locations.database));
    await until(async () => (await query(copy, 'SELECT 1 FROM keys')).length === 2);
    await faults.postgres.kill();
    proxy.redirectTo(standby.port);
    await until(() => faults.warnings().some(({ failure }) => failure === 'read_only'));
    expect((await faults.gateway.get('/pets', known.secret)).status).toBe(200);
    expect((await faults.gateway.get('/pets', unknown)).status).toBe(200);
    expect((await faults.rename(known.id, 'other')).status).toBe(503);
    expect((await faults.health()).text).toContain('degraded');
    await standby.promote();
    await faults.expectRecovery(known, unknown);
  } finally {
    proxy.stop();
    await standby.stop();
  }
});

test('without free connections, existing connections are used and other callers are told to retry', async () => {
  await faults.query('CREATE ROLE few LOGIN SUPERUSER');
  await faults.query('ALTER ROLE few NOSUPERUSER');
  const name = databaseName(faults.locations.database);
  await faults.query(`GRANT ALL ON SCHEMA public TO few; GRANT ALL ON DATABASE ${name} TO few`);
  const database = faults.locations.database.replace('postgres@', 'few@');
  await faults.startGateways(1, { database });
  const [known, unknown] = await faults.twoKeys();
  await faults.postgres.query('ALTER ROLE few CONNECTION LIMIT 1');
  await faults.postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'few'`);
  await until(() =>
    faults.warnings().some(({ failure }) => failure === 'too_many_connections' || failure === 'unreachable'),
  );
  expect((await faults.gateway.get('/pets', known.secret)).status).toBe(200);
  const changes = await Promise.all(Array.from({ length: 10 }, (_, index) => faults.rename(known.id, `${index}`)));
  expect(changes.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(changes.some(({ status }) => status === 503)).toBe(true);
  await faults.postgres.query('ALTER ROLE few CONNECTION LIMIT -1');
  await faults.expectRecovery(known, unknown);
});

test('lost plans are detected and logged, and the gateway recovers when they return', async () => {
  await faults.startGateways();
  const [known, unknown] = await faults.twoKeys();
  await faults.query('CREATE TABLE kept AS SELECT * FROM plans; DELETE FROM plans');
  await until(() => faults.isDegraded());
  await until(() => faults.gateway.logged(/^all plans are missing in the database/).length === 1);
  expect((await faults.gateway.get('/pets', known.secret)).status).toBe(200);
  expect((await faults.gateway.get('/pets', unknown)).status).toBe(503);
  await faults.query('INSERT INTO plans SELECT * FROM kept');
  await faults.expectRecovery(known, unknown);
});
