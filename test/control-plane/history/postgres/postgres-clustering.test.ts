/** Pruning clusters the hours of finished days by key, which changes the speed of reports but no counts. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { HistoryStore, UsageRow } from '../../../../src/control-plane/history/store/history-store.ts';
import { DAYS_PER_RUN } from '../../../../src/control-plane/history/postgres/sort-hours-by-key.ts';
import { findBucket, packCount } from '../../../../src/control-plane/history/store/duration-buckets.ts';
import { Registry } from '../../../../src/control-plane/registry/registry.ts';
import { findDifferences, readStoredSums } from '../../../support/history/history-model.ts';
import { type HistoryDatabase, postgresHistoryDatabase } from '../../../support/history/history-database.ts';
import { until } from '../../../support/until.ts';
import { free, createNewKey } from '../../../support/registry-data.ts';
import type { PostgresDatabases } from '../../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TODAY = Date.UTC(2026, 4, 20);
/** A time at which the day before is finished. */
const NOW = TODAY + 2 * HOUR;
const KEYS = 60;

let postgres: PostgresDatabases;
let database: HistoryDatabase;
let store: HistoryStore;
let sequence = 0;

beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());
beforeEach(async () => {
  database = await postgresHistoryDatabase(postgres);
  store = await database.open();
});
afterEach(async () => {
  await store.close();
  await database.dispose();
});

function row(keyId: string, at: number): UsageRow {
  const durations = [packCount(findBucket(5), 1)];
  const counts = { statusClass: 2, requests: 1, units: 1, refusedUnits: 0, durations };
  return { minute: at, keyId, operation: 'listPets', outcome: 'served', ...counts, firstAt: at, lastAt: at };
}

const write = (rows: UsageRow[]) => store.write({ writer: 'gateway', sequence: ++sequence, rows });

/** Writes counts of all keys hour by hour, like flushes. */
async function writeHours(from: number, to: number, keys: readonly string[]): Promise<void> {
  for (let at = from; at < to; at += HOUR) await write(keys.map((key) => row(key, at)));
}

/** Prunes as often as is needed to move the data of 90 days. */
async function pruneAll(now: number): Promise<void> {
  for (let days = 0; days < 90; days += DAYS_PER_RUN) await store.prune(now);
}

const keyIds = Array.from({ length: KEYS }, (_, index) => `key_${index}`);

/** The physical positions (ctid) of the rows about all operations, by key and hour. */
async function places(from: number, to: number): Promise<string[]> {
  const rows = await database.rows(`
    SELECT key_no, ctid FROM usage_hours
    WHERE operation_no = 1 AND key_no > 1 AND at >= ${from} AND at < ${to} ORDER BY key_no, at`);
  return rows.map(({ key_no, ctid }) => `${String(key_no)} ${String(ctid)}`);
}

/** The average number of table pages that have rows of a key. */
function pagesOfAKey(found: readonly string[]): number {
  return new Set(found.map((place) => place.split(',')[0])).size / KEYS;
}

test('the hourly counts of a key are stored together after the end of a day, and do not change', async () => {
  await pruneAll(TODAY - 2 * DAY);
  // The minutes are written last, because older ones would be deleted.
  await writeHours(NOW - 2 * DAY, NOW, keyIds);
  const before = await readStoredSums(database);
  const [finished, current] = [await places(TODAY - 2 * DAY, TODAY), await places(TODAY, NOW)];
  expect(pagesOfAKey(finished)).toBeGreaterThan(24);

  expect(await store.prune(NOW)).toBe(0);
  const moved = await places(TODAY - 2 * DAY, TODAY);
  expect(pagesOfAKey(moved)).toBeLessThan(6);
  expect(await places(TODAY, NOW)).toEqual(current);
  expect(findDifferences(before, await readStoredSums(database))).toEqual([]);

  await store.prune(NOW + HOUR);
  expect(await places(TODAY - 2 * DAY, TODAY)).toEqual(moved);
});

test('the counts of a day are moved an hour after its end', async () => {
  await pruneAll(TODAY - 2 * DAY);
  await writeHours(TODAY - DAY, TODAY, keyIds);
  const before = await places(TODAY - DAY, TODAY);
  await store.prune(TODAY + HOUR - 1);
  expect(await places(TODAY - DAY, TODAY)).toEqual(before);
  await store.prune(TODAY + HOUR);
  expect(pagesOfAKey(await places(TODAY - DAY, TODAY))).toBeLessThan(4);
});

test('the counts of an existing history are moved gradually, a week per run', async () => {
  const days = Array.from({ length: 90 }, (_, age) => TODAY - age * DAY - 12 * HOUR);
  for (const day of days) await write(keyIds.slice(0, 2).map((key) => row(key, day)));
  const all = () => places(0, TODAY);
  const [first, moved] = [await all(), new Set<string>()];
  const prune = async () => {
    await store.prune(NOW);
    const still = new Set(await all());
    for (const place of first) if (!still.has(place)) moved.add(place);
  };
  await prune();
  expect(moved.size).toBe(2 * DAYS_PER_RUN);
  for (let days = DAYS_PER_RUN; days < 90; days += DAYS_PER_RUN) await prune();
  expect(moved.size).toBe(2 * 90);
});

/** Locks a row, waits until the operations are queued behind it in this order, and releases the row. */
async function queueBehindLock(where: string, ...operations: (() => Promise<unknown>)[]): Promise<void> {
  const client = new pg.Client(database.location.kind === 'postgres' ? database.location.url : '');
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT FROM usage_hours WHERE ${where} FOR UPDATE`);
    const started: Promise<unknown>[] = [];
    for (const operation of operations) {
      started.push(operation());
      await until(async () => (await countLockWaiters()) === started.length);
    }
    await client.query('COMMIT');
    await Promise.all(started);
  } finally {
    await client.end();
  }
}

async function countLockWaiters(): Promise<number> {
  const [found] = await database.rows(`
    SELECT count(*) AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
  return Number(found?.['count']);
}

test('counts that arrive while those of the same day are moved are counted once', async () => {
  const at = TODAY - HOUR;
  await pruneAll(TODAY - 2 * DAY);
  await writeHours(TODAY - DAY, TODAY, keyIds.slice(0, 3));
  const before = await readStoredSums(database);
  await queueBehindLock(
    `operation_no = 1 AND key_no > 1 AND at = ${at}`,
    () => store.prune(NOW),
    () => write([row('key_0', at), row('key_2', at)]),
  );
  const after = await readStoredSums(database);
  for (const key of ['key_0', 'key_2']) {
    const line = `hour ${at} ${key} * * requests`;
    expect([before.get(line), after.get(line)]).toEqual([1, 2]);
  }
  expect(after.get(`hour ${at} * * * requests`)).toBe(5);
});

test('moving the counts of a day does not restore a deleted history', async () => {
  const registry = new Registry(database.records);
  const change = { actor: 'test', reason: null, at: 1 };
  const key = createNewKey({ owner: 'gone' });
  await registry.seedPlans([free], change);
  await registry.createKeys([key], change);
  await pruneAll(TODAY - 2 * DAY);
  await writeHours(TODAY - DAY, TODAY, [key.id]);
  await queueBehindLock(
    `operation_no = 1 AND key_no > 1 AND at = ${TODAY - HOUR}`,
    () => store.prune(NOW),
    () => store.deleteOwner('gone'),
  );
  expect(await places(0, NOW)).toEqual([]);
});
