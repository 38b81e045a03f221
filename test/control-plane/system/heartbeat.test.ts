import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Database, DatabaseLocation } from '../../../src/storage/database.ts';
import { openDatabase } from '../../../src/storage/open.ts';
import { Heartbeat, listGateways, recordRunning, recordStopped } from '../../../src/control-plane/system/heartbeat.ts';
import { until } from '../../support/until.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const STALE_FOR_MS = 900_000;

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

const silent = pino({ level: 'silent' });
const gateway = (id: string) => ({ id, host: 'machine', version: '1.0.0' });

describe.each(['sqlite', 'postgres'] as const)('gateways in %s', (kind) => {
  const folder = tempFolder();
  let location: DatabaseLocation;
  let database: Database;
  beforeEach(async () => {
    const file = join(folder.path, `${crypto.randomUUID()}.db`);
    location = kind === 'sqlite' ? { kind, file } : { kind, url: await postgres.borrowDatabase() };
    database = await openDatabase(location, silent);
  });
  afterEach(async () => {
    await database.close();
    if (location.kind === 'postgres') await postgres.releaseDatabase(location.url);
  });
  afterAll(() => folder.remove());

  const states = async () => (await listGateways(database)).map(({ id, state }) => [id, state]);
  const age = (id: string, ms: number) =>
    database.transaction(async (tx) => {
      await sql`UPDATE gateways SET seen_at = seen_at - ${sql.lit(ms)} WHERE id = ${id}`.execute(tx);
    });

  test('are listed with their last report, latest start first', async () => {
    expect(await recordRunning(database, gateway('a'), 3_600_000, STALE_FOR_MS)).toEqual({ running: 1, differing: 0 });
    expect(await recordRunning(database, gateway('b'), 1000, STALE_FOR_MS)).toEqual({ running: 2, differing: 0 });
    expect(await recordRunning(database, gateway('b'), 2000, STALE_FOR_MS)).toEqual({ running: 2, differing: 0 });
    const listed = await listGateways(database);
    expect(listed).toMatchObject([
      { ...gateway('b'), state: 'running' },
      { ...gateway('a'), state: 'running' },
    ]);
    for (const { startedAt, lastSeenAt } of listed) expect(startedAt).toBeLessThan(lastSeenAt);
    expect(listed[1]!.lastSeenAt - listed[1]!.startedAt).toBe(3_600_000);
  });

  test('are gone if they stop reporting, stopped after a stop, and running if they report again', async () => {
    for (const id of ['a', 'b', 'c']) await recordRunning(database, gateway(id), 0, STALE_FOR_MS);
    await recordStopped(database, 'b');
    await age('a', 31_000);
    await age('b', 31_000);
    await age('c', 25_000);
    expect(Object.fromEntries(await states())).toEqual({ a: 'gone', b: 'stopped', c: 'running' });
    await recordRunning(database, gateway('a'), 31_000, STALE_FOR_MS);
    expect(Object.fromEntries(await states())).toMatchObject({ a: 'running' });
  });

  test('count the gateways with another configuration, and keep the time of each change', async () => {
    const record = (id: string, digest: Record<string, string> | null) =>
      recordRunning(database, gateway(id), 0, STALE_FOR_MS, digest);
    const readSince = async (id: string) =>
      (await listGateways(database)).find((each) => each.id === id)?.config?.since;
    await record('old version', null);
    expect(await record('a', { guard: '1' })).toEqual({ running: 2, differing: 0 });
    expect(await record('b', { guard: '2' })).toEqual({ running: 3, differing: 1 });
    expect(await record('c', { guard: '2' })).toEqual({ running: 4, differing: 1 });
    expect(await record('starting', null)).toEqual({ running: 5, differing: 0 });
    await database.transaction(async (tx) => {
      await sql`UPDATE gateways SET config_since = 7`.execute(tx);
    });
    expect(await record('a', { guard: '1' })).toEqual({ running: 5, differing: 2 });
    expect(await readSince('a')).toBe(7);
    expect(await record('a', { guard: '2' })).toEqual({ running: 5, differing: 0 });
    expect(await readSince('a')).toBeGreaterThan(7);
    await age('a', 31_000);
    expect(await record('b', { guard: '3' })).toEqual({ running: 4, differing: 1 });
    expect((await listGateways(database)).find(({ id }) => id === 'b')?.config?.parts).toEqual({ guard: '3' });
    expect(await readSince('old version')).toBeUndefined();
  });

  test('are deleted a day after their last report, and the oldest above 500', async () => {
    await recordRunning(database, gateway('old'), 0, STALE_FOR_MS);
    await age('old', 25 * 3_600_000);
    await recordRunning(database, gateway('new'), 0, STALE_FOR_MS);
    expect(await states()).toEqual([['new', 'running']]);
    await database.transaction(async (tx) => {
      const rows = Array.from({ length: 600 }, (_, index) => ({
        ...gateway(`crashed ${index}`),
        started_at: 0,
        seen_at: Date.now() - 1_000_000,
        stopped_at: null,
        uses_reported_at: null,
      }));
      await tx.insertInto('gateways').values(rows).execute();
    });
    await recordRunning(database, gateway('new'), 0, STALE_FOR_MS);
    const left = await states();
    expect([left.length, left[0]]).toEqual([500, ['new', 'running']]);
  });

  test('are recorded when they start and stop', async () => {
    const counts: number[] = [];
    const heartbeat = new Heartbeat(database, gateway('a'), silent, {
      staleForMs: STALE_FOR_MS,
      onRunning: ({ running }) => void counts.push(running),
    });
    await until(() => counts.length === 1);
    expect(await states()).toEqual([['a', 'running']]);
    await heartbeat.stop(true);
    expect(await states()).toEqual([['a', 'stopped']]);
    const cutOff = new Heartbeat(database, gateway('c'), silent, {
      staleForMs: STALE_FOR_MS,
      onRunning: () => undefined,
    });
    await until(async () => (await states()).length === 2);
    await cutOff.stop(false);
    expect(Object.fromEntries(await states())).toEqual({ a: 'stopped', c: 'running' });
    await age('c', 31_000);
    expect([counts, await recordRunning(database, gateway('b'), 0, STALE_FOR_MS)]).toEqual([
      [1],
      { running: 1, differing: 0 },
    ]);
  });
});
