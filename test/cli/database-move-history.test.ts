/**
 * `tollgate database move` once left out the history. Afterward, the callers of operations were unknown, and previews
 * of new limits were empty.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { historyTableNames } from '../../src/storage/history-tables.ts';
import type { HistoryStore } from '../../src/control-plane/history/store/history-store.ts';
import { PostgresHistory } from '../../src/control-plane/history/postgres/postgres-history.ts';
import { readDurations } from '../../src/control-plane/history/sqlite/sqlite-write.ts';
import { openSqliteHistory } from '../../src/control-plane/history/sqlite/sqlite-history.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { migratePostgres } from '../../src/storage/postgres.ts';
import { openSqliteDatabase } from '../../src/storage/sqlite.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';
import { keep } from '../support/history/history-database.ts';
import { NOW, sampleEvents, writeEvents } from '../support/history/sample.ts';
import { free, createNewKey } from '../support/registry-data.ts';
import { type PostgresDatabases, query } from '../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Row = Record<string, unknown>;

const change = { actor: 'test', reason: null, at: 1 };
const keys = Array.from({ length: 20 }, (_, index) => createNewKey({ owner: `owner ${index % 3}` }));
let postgres: PostgresDatabases;
let folder: ReturnType<typeof tempFolder>;
let to: string;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());
beforeEach(async () => {
  folder = tempFolder();
  to = await postgres.createDatabase();
  const records = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(records);
  await registry.seedPlans([free], change);
  await registry.createKeys(keys, change);
  await records.close();
});
afterEach(() => folder.remove());

const move = () =>
  runCommand(['database', 'move', '--from', 'sqlite:tollgate.db', '--to', to], {
    env: { TOLLGATE_DATA_DIR: folder.path },
    answer: '',
  });

const openSource = () => {
  const [file, recordsFile] = [join(folder.path, 'history.db'), join(folder.path, 'tollgate.db')];
  return openSqliteHistory({ file, recordsFile, keep });
};

async function withStore<T>(store: HistoryStore, work: (store: HistoryStore) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Reads several reports from a history. */
async function readReports(store: HistoryStore) {
  const report = (every: 'minute' | 'hour' | 'day', by: 'key' | 'owner' | 'operation') =>
    store.usage({ from: 0, to: NOW, now: NOW, every, by, limit: 100 });
  return {
    usage: [await report('minute', 'operation'), await report('hour', 'key'), await report('day', 'owner')],
    callers: await store.callers({ operation: 'listPets', limit: 100 }),
    refusals: await store.findRefusals('refused'),
  };
}

/** Reads the rows of all tables, in the same format for both databases and in no particular order. */
async function contents(readRows: (text: string) => Promise<Row[]>): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const name of historyTableNames) {
    const rows = await readRows(`SELECT * FROM ${name}`);
    tables[name] = rows.map((row) => JSON.stringify(Object.entries(row).map(normalize))).toSorted();
  }
  return tables;
}

/** Converts a value to the common format. The PostgreSQL driver returns big integers as strings. */
function normalize([name, value]: [string, unknown]): [string, unknown] {
  if (value instanceof Uint8Array) return [name, [...readDurations(value)].map(String)];
  return [name, Array.isArray(value) ? value.map(String) : String(value)];
}

test('all rows are moved, and new counts can be added to them', async () => {
  const before = await withStore(await openSource(), async (store) => {
    await writeEvents(
      store,
      'a gateway',
      sampleEvents(
        keys.map(({ id }) => id),
        3000,
      ),
    );
    const facts = { text: 'Ünï "quoted" \\ \u2028', nested: [1, null] };
    await store.keepRefusals([{ requestId: 'refused', quotaId: 'q', keyId: keys[0]!.id, at: NOW, facts }]);
    return readReports(store);
  });
  const source = new DatabaseSync(join(folder.path, 'history.db'), { readOnly: true });
  const rows = await contents(async (text) => source.prepare(text).all());
  source.close();
  const { code, out, err } = await move();
  // The command does not count the two names that every history has.
  const count = Object.values(rows).reduce((sum, { length }) => sum + length, 0) - 2;
  expect({ code, out, err }).toEqual({
    code: 0,
    out: expect.stringContaining(`, ${count} rows of history. `),
    err: expect.stringMatching(/(\d+) of \1 rows\n$/),
  });
  expect(rows['usage_days']!.length).toBeGreaterThan(1000);
  expect(await contents((text) => query(to, text))).toEqual(rows);
  await withStore(new PostgresHistory(to, keep), async (store) => {
    expect(await readReports(store)).toEqual(before);
    await addCounts(store, { keyId: keys[0]!.id, operation: 'new', minute: NOW, lastAt: NOW });
    expect((await store.callers({ operation: 'new', limit: 1 })).items).toMatchObject([{ key: keys[0]!.id }]);
  });
});

test('a target that already contains history is refused', async () => {
  await withStore(await openSource(), (store) => addCounts(store, { minute: NOW }));
  await migratePostgres(to);
  await withStore(new PostgresHistory(to, keep), (store) => addCounts(store, { minute: NOW }));
  expect(await move()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^tollgate: the target is not empty \(it has rows in history_names\)/),
  });
});

test('a history that a process is using is refused, and nothing is moved', async () => {
  await withStore(await openSource(), async () => {
    expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/history\.db is in use by process/) });
  });
  expect(await move()).toMatchObject({ code: 0, out: expect.stringContaining(', 0 rows of history. ') });
});
