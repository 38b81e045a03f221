import { DatabaseSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';
import { statSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '../src/base/time.ts';
import { openHistoryClient } from '../src/control-plane/history/worker/history-client.ts';
import type { ViolationsQuery } from '../src/control-plane/history/store/history-store.ts';
import { PostgresConnections } from '../src/control-plane/history/postgres/postgres-connections.ts';
import { ALL_NAMES, FILL_VIOLATION_DAYS } from '../src/storage/history-tables.ts';
import { fillPostgres, fillSqlite, logger } from './history/database.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  {
    database: { type: 'string', default: 'sqlite' },
    days: { type: 'string', default: '30' },
    keys: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '1000000' },
    operations: { type: 'string', default: '1000' },
  },
  `npm run violation-reports -- [options]

How large the counts of invalid requests get, and how long their reports take, with 50 rules.

  --database D    sqlite or postgres (sqlite)
  --days N        days of history (30)
  --keys N        keys (100000)
  --rows N        rows a day: the most that one gateway writes (1000000)
  --operations N  operations with invalid requests, of 1000 (1000)`,
);

const RULES = 50;
const MAX_OPERATIONS = 1000;
const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const numbers = [values.days, values.keys, values.rows, values.operations].map(Number);
const [days, keys, rowsPerDay, operations] = numbers as [number, number, number, number];
/** Pairs of a key and a rule, of one operation in one hour. Each has a row for the rule and one for all rules. */
const pairs = Math.floor(rowsPerDay / 24 / operations / 2);
const FIRST = 1_000_000;
const start = now - days * DAY_MS;

/** Runs statements that both databases understand. */
interface Connection {
  run(sql: string): Promise<void>;
  read(sql: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const isPostgres = values.database === 'postgres';
const size = { spread: 'uniform', keys, days: 1, busy: 0, now } as const;
const database = await (isPostgres ? fillPostgres(size) : fillSqlite(size));
const { records, file } = database.settings;
const connection = records.kind === 'postgres' ? connectPostgres(records.url) : openSqlite();

function openSqlite(): Connection {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  return {
    run: async (sql) => sqlite.exec(sql),
    read: async (sql) => sqlite.prepare(sql).get() ?? {},
    async close() {
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      sqlite.close();
    },
  };
}

function connectPostgres(url: string): Connection {
  const limits = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 3_600_000 };
  const connections = new PostgresConnections({ url, purpose: 'bench', ...limits });
  return {
    run: async (sql) => void (await connections.run(sql, [])),
    read: async (sql) => (await connections.rows(sql, []))[0] ?? {},
    async close() {
      await connections.run('VACUUM ANALYZE violations, violation_days, history_names', []);
      await connections.close();
    },
  };
}

async function measureMegabytes(): Promise<number> {
  if (!isPostgres) return statSync(file).size / 1e6 - database.megabytes;
  const { size: bytes } = await connection.read(
    "SELECT pg_total_relation_size('violations') + pg_total_relation_size('violation_days') AS size",
  );
  return Number(bytes) / 1e6;
}

const filling = performance.now();
for (let index = 0; index < operations; index++)
  await connection.run(`INSERT INTO history_names (no, name) VALUES (${FIRST + index}, 'bench.operation${index}')`);
for (let index = 0; index < RULES; index++) {
  const no = FIRST + MAX_OPERATIONS + index;
  await connection.run(`INSERT INTO history_names (no, name) VALUES (${no}, 'type /query/limit${index}')`);
}
const { first, name: keyId } = await connection.read(
  "SELECT no AS first, name FROM history_names WHERE name LIKE 'key_%' ORDER BY no LIMIT 1",
);
await connection.run('DROP INDEX violations_by_time');
await connection.run('DROP INDEX violations_by_key');
for (let operation = FIRST; operation < FIRST + operations; operation++) {
  // In the order of the table, which is the fastest.
  await connection.run(`
    WITH RECURSIVE hours(h) AS (SELECT 0 UNION ALL SELECT h + 1 FROM hours WHERE h < ${days * 24 - 1}),
      pairs(p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM pairs WHERE p < ${pairs - 1}),
      rules(r) AS (VALUES (0), (1))
    INSERT INTO violations (operation_no, kind, at, key_no, rule_no, requests, refused, first_at, last_at)
    SELECT ${operation}, 0, ${start} + h * ${HOUR_MS},
      ${Number(first)} + (p * ${Math.floor(keys / pairs)} + h * 7919 + ${operation * 31}) % ${keys},
      CASE r WHEN 0 THEN ${ALL_NAMES} ELSE ${FIRST + MAX_OPERATIONS} + (p + h) % ${RULES} END, 3, 0,
      ${start} + h * ${HOUR_MS}, ${start} + h * ${HOUR_MS} + 1000
    FROM hours, pairs, rules WHERE true ON CONFLICT DO NOTHING`);
}
await connection.run(FILL_VIOLATION_DAYS);
await connection.run('CREATE INDEX violations_by_time ON violations (at)');
await connection.run('CREATE INDEX violations_by_key ON violations (key_no, at)');
const rows = Number((await connection.read('SELECT count(*) AS rows FROM violations'))['rows']);
const sums = Number((await connection.read('SELECT count(*) AS rows FROM violation_days'))['rows']);
const megabytes = await measureMegabytes();
await connection.close();
process.stdout.write(
  `${rows} rows and ${sums} sums: ${megabytes.toFixed(0)} MB, ${((megabytes * 1e6) / rows).toFixed(0)} bytes a row ` +
    `(filled in ${((performance.now() - filling) / 1000).toFixed(0)} s)\n`,
);

const history = await openHistoryClient(database.settings, logger);
const all = Array.from({ length: MAX_OPERATIONS }, (_, index) => `bench.operation${index}`);
const one = ['bench.operation0'];

async function measure(name: string, daysBack: number, query: Partial<ViolationsQuery>): Promise<string[]> {
  // The period begins within a day, like most periods.
  const period = { from: now - daysBack * DAY_MS, to: now };
  const began = performance.now();
  let mostMemory = 0;
  const sampling = setInterval(() => (mostMemory = Math.max(mostMemory, process.memoryUsage().rss)), 20);
  const result = await history
    .violations({ operations: one, kind: 'document', by: 'key', limit: 100, ...period, ...query })
    .then(
      () => ((performance.now() - began) / 1000).toFixed(2),
      ({ message }: Error) => message,
    );
  clearInterval(sampling);
  return [name, String(daysBack), result, (Math.max(mostMemory, process.memoryUsage().rss) / 1e6).toFixed(0)];
}

const table: string[][] = [];
for (const back of [1, 7, 30, 90].filter((period) => period <= days)) {
  table.push(await measure('one operation by key', back, {}));
  table.push(await measure('one operation by owner', back, { by: 'owner' }));
  table.push(await measure('one operation by rule', back, { by: 'rule' }));
  table.push(await measure('one operation, totals', back, { by: 'operation' }));
  table.push(await measure('one key', back, { operations: all, key: String(keyId), by: 'operationRule' }));
  table.push(await measure('one owner', back, { operations: all, owner: 'owner 7', by: 'operationRule' }));
  table.push(await measure('all operations, 100 a page', back, { operations: all, by: 'operation' }));
  table.push(await measure('all operations, 1000 a page', back, { operations: all, by: 'operation', limit: 1000 }));
  table.push(await measure('all rules of all operations', back, { operations: all, by: 'operationRule' }));
}
process.stdout.write(`${formatTable(['report', 'days', 's', 'MB of memory'], table)}\n`);
await history.close();
await database.dispose();
