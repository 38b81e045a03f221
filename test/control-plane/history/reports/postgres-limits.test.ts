/** A report over all data must not occupy connections and CPU of PostgreSQL without a limit. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import { PostgresConnections } from '../../../../src/control-plane/history/postgres/postgres-connections.ts';
import { PostgresReports } from '../../../../src/control-plane/history/postgres/postgres-reports.ts';
import { type PostgresDatabases, query } from '../../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
let url: string;
let connections: PostgresConnections;
beforeAll(async () => {
  postgres = await sharedPostgres();
  url = await postgres.createDatabase();
  const limits = { connections: 3, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 };
  connections = new PostgresConnections({ url, purpose: 'test', ...limits });
});
afterAll(async () => {
  await connections.close();
  await postgres.dropDatabases();
});

test('a statement in PostgreSQL ends at the time limit of its report, and the next report works', async () => {
  const reports = new PostgresReports(connections, 2000);
  const endless = reports.run((reader) => reader.rows('SELECT pg_sleep(120)', []));
  await expect(endless).rejects.toThrow(StoreUnavailable);
  await expect(endless).rejects.toThrow('took too long: request a shorter period');
  expect(await reports.run((reader) => reader.rows('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
});

test('no further statement of a report begins after its time limit', async () => {
  const reports = new PostgresReports(connections, 200);
  const many = reports.run(async (reader) => {
    for (;;) await reader.rows('SELECT pg_sleep(0.15)', []);
  });
  await expect(many).rejects.toThrow('took too long');
});

test('a later statement has only the time that is left to its report', async () => {
  const reports = new PostgresReports(connections, 20_000);
  const limits = await reports.run(async (reader) => {
    const read = () => reader.rows("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'", []);
    const [first] = await read();
    await reader.rows('SELECT pg_sleep(0.2)', []);
    const [second] = await read();
    return [Number(first?.['setting']), Number(second?.['setting'])];
  });
  expect(limits[0]).toBeLessThanOrEqual(20_000);
  expect(limits[1]).toBeLessThanOrEqual(limits[0]! - 200);
  expect(limits[1]).toBeGreaterThan(0);
});

test('a report can change nothing and reads a consistent snapshot', async () => {
  const reports = new PostgresReports(connections);
  await expect(reports.run((reader) => reader.rows('CREATE TABLE made (n BIGINT)', []))).rejects.toThrow(/read-only/);
  await query(url, 'CREATE TABLE counted (n BIGINT)');
  const counts = await reports.run(async (reader) => {
    const count = async () => (await reader.rows('SELECT count(*) AS n FROM counted', []))[0]?.['n'];
    const before = await count();
    await query(url, 'INSERT INTO counted VALUES (1)');
    return [before, await count()];
  });
  expect(counts).toEqual([0, 0]);
});

test('at most two reports run at a time and twenty wait, and further ones are rejected', async () => {
  const reports = new PostgresReports(connections);
  const one = () => reports.run((reader) => reader.rows('SELECT pg_sleep(0.01)', []));
  const results = await Promise.allSettled(Array.from({ length: 30 }, one));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const each of refused) expect(each).toMatchObject({ reason: expect.any(StoreUnavailable) });
});
