import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import type { Database } from '../../src/storage/database.ts';
import { openPostgresDatabase } from '../../src/storage/postgres.ts';
import { serverNames } from '../../src/base/host-names.ts';
import { createPool } from '../../src/storage/postgres-pool.ts';
import { StartError, StoreUnavailable } from '../../src/base/error-types.ts';
import { until } from '../support/until.ts';
import { startPostgresProxy } from '../support/servers/postgres-proxy.ts';
import { type PostgresDatabases, query } from '../support/servers/postgres-databases.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { startStopwatch } from '../support/stopwatch.ts';

interface Opened {
  readonly database: Database;
  /** Messages that its listeners have received. */
  readonly received: (string | null)[];
  readonly logs: string[];
}

let postgres: PostgresDatabases;
/** A database with all tables. */
let url: string;
const opened: Database[] = [];
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());
beforeEach(async () => {
  url = await postgres.borrowDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

/** Opens a database, which may not be available yet. */
async function begin(at = url): Promise<Opened> {
  const logs: string[] = [];
  const database = await openPostgresDatabase(at, pino({}, { write: (line: string) => void logs.push(line) }));
  opened.push(database);
  const received: (string | null)[] = [];
  database.onChange((message) => received.push(message));
  return { database, received, logs };
}

async function open(at = url): Promise<Opened> {
  const begun = await begin(at);
  await until(() => begun.database.state() === 'up');
  return begun;
}

const claim = (name: string) => ({ name, at: 1 });
const announced = ({ database }: Opened, ...messages: string[]) =>
  database.transaction(async (_, announce) => messages.forEach(announce));

test('resolving the host name does not block a thread', async () => {
  const lookup = jest.spyOn(serverNames, 'lookup');
  const { database } = await open(url.replace('127.0.0.1', 'localhost'));
  expect(await database.lookUp((queries) => sql`SELECT 1 AS one`.execute(queries))).toMatchObject({
    rows: [{ one: 1 }],
  });
  // The migrations, the listening connection and the lookup have resolved the name.
  expect(lookup.mock.calls.length).toBeGreaterThanOrEqual(3);
  expect(new Set(lookup.mock.calls.map(([name]) => name))).toEqual(new Set(['localhost']));
  lookup.mockRestore();
});

describe('a notification in a transaction', () => {
  test('is received once each, locally before the commit resolves and elsewhere soon after, but only after a commit', async () => {
    const [here, there] = [await open(), await open()];
    await announced(here, 'one', 'two', 'one');
    expect(here.received).toEqual(['one', 'two']);
    await until(() => there.received.length > 0);
    const failing = here.database.transaction(async (_, announce) => {
      announce('three');
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await announced(there, 'four');
    await until(() => here.received.includes('four'));
    expect([here.received, there.received]).toEqual([
      ['one', 'two', 'four'],
      ['one', 'two', 'four'],
    ]);
  });

  test('is received as separate messages even if there are many', async () => {
    const [here, there] = [await open(), await open()];
    const messages = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(50)} ${index}`);
    await announced(here, ...messages);
    await until(() => there.received.length === 500);
    expect([here.received, there.received]).toEqual([messages, messages]);
  });

  test('cannot be blocked by foreign messages on the channel', async () => {
    const { received } = await open();
    for (const payload of ['', 'junk', '{}', 'null', '{"id":1,"messages":[{}]}']) {
      await query(url, `SELECT pg_notify('tollgate_changes', '${payload}')`);
    }
    await until(() => received.length === 5);
    expect(received).toEqual([null, null, null, null, '[object Object]']);
  });

  test('may have been missed if the connection was lost', async () => {
    const { database, received } = await open();
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tollgate-events' AND datname = current_database()`,
    );
    await until(() => received.length >= 2 && database.state() === 'up');
    expect(new Set(received)).toEqual(new Set([null]));
  });
});

/** Like common connection poolers: LISTEN succeeds, but notifications are never delivered. */
test('without notifications, changes are assumed every second, and one warning is logged', async () => {
  const proxy = await startPostgresProxy(postgres.port, { dropNotifications: true });
  try {
    const { database, received, logs } = await open(proxy.through(url));
    await until(() => database.state() === 'up');
    await until(() => received.length >= 4);
    expect(new Set(received)).toEqual(new Set([null]));
    expect(database.state()).toBe('up');
    expect(logs.filter((line) => line.includes('does not deliver notifications'))).toHaveLength(1);
  } finally {
    await opened.pop()?.close();
    proxy.stop();
  }
});

describe('a transaction', () => {
  test('that conflicts with another is retried', async () => {
    const { database } = await open();
    await database.transaction((tx) =>
      tx
        .insertInto('claims')
        .values([claim('a'), claim('b')])
        .execute(),
    );
    const raise = (name: string) => sql`UPDATE claims SET at = at + 1 WHERE name = ${name}`;
    const both = (first: string, second: string) =>
      database.transaction(async (tx) => {
        await raise(first).execute(tx);
        await sleep(100);
        await raise(second).execute(tx);
      });
    await Promise.all([both('a', 'b'), both('b', 'a')]);
    const rows = await database.read((queries) => queries.selectFrom('claims').selectAll().orderBy('name').execute());
    expect(rows.map(({ at }) => at)).toEqual([3, 3]);
  });

  test('whose connection is lost fails with StoreUnavailable, and listeners are notified in case it was committed', async () => {
    const { database, received } = await open();
    const dying = database.transaction(async (tx, announce) => {
      announce('a change');
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(dying).rejects.toThrow(StoreUnavailable);
    expect(received).toEqual([null]);
  });
});

describe('a pool', () => {
  const pool = (at = url) =>
    createPool({ url: at, purpose: 'test', connections: 1, connectTimeoutMs: 3000, statementTimeoutMs: 1500 });

  test('limits the wait for a connection', async () => {
    const one = pool();
    const client = await one.connect();
    const stopwatch = startStopwatch();
    await expect(one.connect()).rejects.toThrow('all connections to PostgreSQL were in use');
    expect(stopwatch.stop()).toBeLessThan(60_000);
    client.release();
    (await one.connect()).release();
    await one.end();
  });

  test('ends a statement that takes too long, and keeps the connection', async () => {
    const one = pool();
    const client = await one.connect();
    await expect(client.query('SELECT pg_sleep(60)', [])).rejects.toThrow('did not answer in time');
    expect((await client.query('SELECT 1 AS n', [])).rows).toEqual([{ n: 1 }]);
    client.release();
    await one.end();
  });

  test('closes an unresponsive connection and rejects everything queued behind it', async () => {
    const server = await PostgresServer.start();
    const one = pool(server.url());
    try {
      const client = await one.connect();
      server.pause();
      await expect(client.query('SELECT 1', [])).rejects.toThrow('did not answer in time');
      const stopwatch = startStopwatch();
      await expect(client.query('ROLLBACK', [])).rejects.toThrow('did not answer in time');
      // If the connection were still used, the second query would take the time limit of a statement again.
      expect(stopwatch.stop()).toBeLessThan(1000);
      client.release();
      await expect(one.connect()).rejects.toThrow(StoreUnavailable);
      server.resume();
      const again = await one.connect();
      expect((await again.query('SELECT 2 AS n', [])).rows).toEqual([{ n: 2 }]);
      again.release();
    } finally {
      await one.end();
      await server.stop();
    }
  });
});

test('an integer is returned exactly or rejected', async () => {
  const { database } = await open();
  const select = (text: string) => database.read(async (queries) => (await sql.raw(text).execute(queries)).rows);
  expect(await select('SELECT 9007199254740991::bigint AS n')).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
  await expect(select('SELECT 9007199254740993::bigint AS n')).rejects.toThrow(RangeError);
});

test('the time of the database is constant within a statement, and later in the next', async () => {
  const { database } = await open();
  const { now } = database.dialect;
  const read = sql<{ before: number; after: number }>`SELECT ${now} AS before, pg_sleep(0.02), ${now} AS after`;
  const [first, second] = await database.transaction(async (tx) => [await read.execute(tx), await read.execute(tx)]);
  expect(first.rows[0]!.after).toBe(first.rows[0]!.before);
  expect(second.rows[0]!.before).toBeGreaterThan(first.rows[0]!.before);
});

test('the database opens while another gateway runs a long migration, and becomes available afterwards', async () => {
  const migrating = new pg.Client(url);
  await migrating.connect();
  await migrating.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('tollgate:migrations', 0))`);
  const { database } = await begin();
  expect(database.state()).toBe('away');
  await expect(database.read(async () => {})).rejects.toThrow(StoreUnavailable);
  await migrating.query('COMMIT');
  await migrating.end();
  await until(() => database.state() === 'up');
});

test('while a table is in use, a migration does not delay lookups for long, and completes once the table is free', async () => {
  // The schema before the latest migration.
  const undone = `
    ALTER TABLE keys DROP COLUMN quiet_since, DROP COLUMN last_used_from, DROP COLUMN unreported_until;
    ALTER TABLE gateways DROP COLUMN uses_reported_at;
    DELETE FROM migrations WHERE name LIKE '0015%'`;
  await query(url, undone);
  const [long, lookups] = [new pg.Client(url), new pg.Client({ connectionString: url, statement_timeout: 60_000 })];
  await Promise.all([long.connect(), lookups.connect()]);
  try {
    await long.query('BEGIN; SELECT count(*) FROM keys');
    const opening = open();
    const stopwatch = startStopwatch();
    while (stopwatch.ms < 2000) await lookups.query('SELECT count(*) FROM keys');
    stopwatch.stop();
    await long.query('COMMIT');
    const { database } = await opening;
    await until(() => database.state() === 'up');
  } finally {
    await Promise.all([long.end(), lookups.end()]);
  }
});

describe('a database is refused at the start, and the error says what to do, if it', () => {
  async function refusal(at: string): Promise<string> {
    const error: unknown = await open(at).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(StartError);
    return (error as StartError).message;
  }

  test('is newer than this version', async () => {
    await query(url, `INSERT INTO migrations VALUES ('9999 of the future')`);
    expect(await refusal(url)).toMatch(/newer version of Tollgate \(to "9999 of the future"/);
  });

  test('lacks the search extension and the permission to create it', async () => {
    const empty = await postgres.createDatabase();
    await query(empty, 'CREATE ROLE lesser LOGIN; GRANT CREATE ON SCHEMA public TO lesser');
    expect(await refusal(empty.replace('postgres@', 'lesser@'))).toMatch(/pg_trgm.*CREATE EXTENSION pg_trgm/);
    await query(empty, 'CREATE EXTENSION pg_trgm');
    expect((await open(empty.replace('postgres@', 'lesser@'))).database.state()).toBe('up');
  });

  test('does not exist', async () => {
    expect(await refusal(postgres.url('nowhere'))).toMatch(/^PostgreSQL rejected .*"nowhere" does not exist/);
  });
});
