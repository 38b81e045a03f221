/**
 * A gateway that had been updated kept older ones from starting on the same database, even if it had only added a
 * column: a pod of the old version that restarted during a rolling update stayed down, and nothing could go back.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import { pino } from 'pino';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import type { Database, DatabaseLocation } from '../../src/storage/database.ts';
import { migrations } from '../../src/storage/migrations.ts';
import { postgresDialect, sqliteDialect } from '../../src/storage/dialect.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { free, createNewKey } from '../support/registry-data.ts';
import { findPostgres } from '../support/servers/postgres-programs.js';
import { type PostgresDatabases, query } from '../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An empty database. */
interface Place {
  readonly location: DatabaseLocation;
  /** In the form of `TOLLGATE_DATABASE`. */
  readonly setting: string;
  /** Runs statements. */
  exec(text: string): Promise<unknown>;
  rows(query: string): Promise<Record<string, unknown>[]>;
}

let postgres: PostgresDatabases;
let folder: ReturnType<typeof tempFolder>;
const opened: Database[] = [];
beforeAll(async () => {
  postgres = await sharedPostgres();
  folder = tempFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  await postgres.dropDatabases();
  folder.remove();
});

let files = 0;
function sqlitePlace(): Place {
  const file = join(folder.path, `${++files}.db`);
  return {
    location: { kind: 'sqlite', file },
    setting: `sqlite:${file}`,
    async exec(text) {
      using sqlite = new DatabaseSync(file);
      sqlite.exec(text);
    },
    async rows(query) {
      using sqlite = new DatabaseSync(file);
      return sqlite.prepare(query).all();
    },
  };
}

async function postgresPlace(): Promise<Place> {
  const url = await postgres.createDatabase();
  const run = (text: string) => query(url, text);
  return { location: { kind: 'postgres', url }, setting: url, exec: run, rows: run };
}

/** Creates the tables as a version without additive steps does. */
async function createOlder(place: Place): Promise<void> {
  const isSqlite = place.location.kind === 'sqlite';
  const compiler = new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: () => {
        throw new Error('not needed');
      },
    },
  });
  const steps = migrations.filter(({ additive }) => additive !== true);
  const dialect = isSqlite ? sqliteDialect : postgresDialect;
  const statements = steps.flatMap((step) => step.statements(dialect).map((each) => each.compile(compiler).sql));
  const names = steps.map(({ name }) => `('${name}')`).join(', ');
  const recorded = ['CREATE TABLE migrations (name TEXT PRIMARY KEY)', `INSERT INTO migrations VALUES ${names}`];
  await place.exec([...statements, ...recorded].join(';\n'));
}

async function open({ location }: Place) {
  const warnings: { msg: string; steps?: string[] }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  const database = await openDatabase(location, logger);
  opened.push(database);
  return { database, registry: new Registry(database), warnings };
}

async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((database) => database.close()));
}

/** Statements that leave the database in the state of a newer version. */
const ADDED = `
  CREATE TABLE additions (name TEXT);
  ALTER TABLE keys ADD COLUMN added TEXT NOT NULL DEFAULT 'none';
  INSERT INTO additive_migrations SELECT '9998 additions', max(name) FROM migrations;
  INSERT INTO additive_migrations SELECT '9999 more additions', max(name) FROM migrations`;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** True if a row can be added without the column. */
  readonly isOptional: boolean | number;
}

/** A query for all columns of all tables. */
function formatColumns({ location }: Place): string {
  return location.kind === 'sqlite'
    ? `SELECT t.name AS "table", c.name AS "column", c.type, (c."notnull" = 0 OR c.dflt_value IS NOT NULL) AS "isOptional"
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.name`
    : `SELECT table_name AS "table", column_name AS "column", data_type AS type,
         (is_nullable = 'YES' OR column_default IS NOT NULL) AS "isOptional"
       FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`;
}

const change = { actor: 'test', reason: 'why', at: 1_700_000_000_000 };

describe.each([
  ['SQLite', async () => sqlitePlace()],
  ['PostgreSQL', postgresPlace],
] as const)('with %s', (_, createPlace) => {
  test('a database with additions of a newer version is used with one warning, and keeps the additions', async () => {
    const place = await createPlace();
    const first = await open(place);
    await first.registry.seedPlans([free], change);
    const { id } = await first.registry.createKey(createNewKey(), change);
    expect(first.warnings).toEqual([]);
    await closeAll();
    await place.exec(ADDED);
    await place.exec(`UPDATE keys SET added = 'by the newer version'`);
    for (let start = 1; start <= 2; start++) {
      const { registry, warnings } = await open(place);
      await registry.updateKey(id, { name: `name ${start}` }, change);
      await registry.createKey(createNewKey({ name: 'new' }), change);
      expect(warnings).toEqual([
        expect.objectContaining({
          msg: 'the database has additions of a newer version, which are not used',
          steps: ['9998 additions', '9999 more additions'],
        }),
      ]);
      await closeAll();
    }
    expect(await place.rows('SELECT name, added FROM keys ORDER BY sequence')).toEqual([
      { name: 'name 2', added: 'by the newer version' },
      { name: 'new', added: 'none' },
      { name: 'new', added: 'none' },
    ]);
  });

  test('a database with other changes of a newer version is refused, even if it also has additions', async () => {
    const place = await createPlace();
    await open(place);
    await closeAll();
    await place.exec(ADDED);
    await place.exec(`INSERT INTO migrations VALUES ('9997 of the future')`);
    await expect(open(place)).rejects.toThrow('newer version of Tollgate (to "9997 of the future"');
  });

  test('additive steps are not recorded in the table that older versions read', async () => {
    const place = await createPlace();
    await open(place);
    await closeAll();
    const names = (table: string) => place.rows(`SELECT name FROM ${table} ORDER BY name`);
    const [other, additive] = [false, true].map((is) => migrations.filter((step) => (step.additive === true) === is));
    expect(await names('migrations')).toEqual(other!.map(({ name }) => ({ name })));
    expect(await names('additive_migrations')).toEqual(additive!.map(({ name }) => ({ name })));
  });

  test('additive steps only add tables, or columns that older versions can omit', async () => {
    const place = await createPlace();
    await createOlder(place);
    const columns = async () => (await place.rows(formatColumns(place))) as unknown as Column[];
    const before = await columns();
    await open(place);
    await closeAll();
    const tables = new Set(before.map(({ table }) => table));
    const after = (await columns()).filter(({ table }) => tables.has(table));
    const added = after.filter(
      ({ table, column }) => !before.some((one) => one.table === table && one.column === column),
    );
    expect(after.filter((column) => !added.includes(column))).toEqual(before);
    expect(added.filter(({ isOptional }) => !isOptional)).toEqual([]);
    expect(added.length).toBeGreaterThan(0);
  });

  test('the migration command lists the additions that are not used', async () => {
    const place = await createPlace();
    const env = { TOLLGATE_DATA_DIR: folder.path, TOLLGATE_DATABASE: place.setting };
    expect((await runCommand(['database', 'migrate'], { env })).out).toMatch(/is now up to date\.\n$/);
    await place.exec(ADDED);
    expect(await runCommand(['database', 'migrate'], { env })).toMatchObject({
      code: 0,
      out:
        'The database schema is already up to date.\n' +
        'It has additions of a newer version, which this version does not use: 9998 additions, 9999 more additions.\n',
    });
  });
});

test('a database with additions of a newer version is not moved, because the copy would lack them', async () => {
  const [from, to] = [sqlitePlace(), await postgresPlace()];
  await open(from);
  await closeAll();
  await from.exec(ADDED);
  const env = { TOLLGATE_DATA_DIR: folder.path };
  const move = ['database', 'move', '--from', from.setting, '--to', to.setting];
  expect(await runCommand(move, { env, answer: '' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('additions of a newer version of Tollgate ("9998 additions"): use that version'),
  });
});

test('pg_restore refuses to restore an older dump over additions, but restores it into an empty database', async () => {
  const [place, empty] = [await postgresPlace(), await postgresPlace()];
  const program = (name: string, ...args: string[]) =>
    promisify(execFile)(join(findPostgres() ?? '', name), args, { encoding: 'utf8' });
  const dump = join(folder.path, 'tollgate.dump');
  await createOlder(place);
  await program('pg_dump', '--format', 'custom', '--file', dump, place.setting);
  await open(place);
  await closeAll();
  await place.exec(ADDED);
  // Uses the documented command.
  const restore = ['--clean', '--if-exists', '--single-transaction', '--exit-on-error', '--dbname'];
  await expect(program('pg_restore', ...restore, place.setting, dump)).rejects.toThrow(/additive_migrations/);
  expect(await place.rows('SELECT added FROM keys')).toEqual([]);
  await program('pg_restore', ...restore, empty.setting, dump);
  expect((await open(empty)).warnings).toEqual([]);
});
