import { DatabaseSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';
import { statSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '../src/base/time.ts';
import { openHistoryClient } from '../src/control-plane/history/worker/history-client.ts';
import type { ViolationsQuery } from '../src/control-plane/history/store/history-store.ts';
import { ALL_NAMES } from '../src/storage/history-tables.ts';
import { fillSqlite, logger } from './history/database.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  {
    days: { type: 'string', default: '30' },
    keys: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '1000000' },
  },
  `npm run violation-reports -- [options]

How large the counts of invalid requests get in SQLite, and how long their reports take, with 1,000 operations and 50 rules.

  --days N   days of history (30)
  --keys N   keys (100000)
  --rows N   rows a day: the most that one gateway writes (1000000)`,
);

const OPERATIONS = 1000;
const RULES = 50;
const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const [days, keys, rowsPerDay] = [values.days, values.keys, values.rows].map(Number) as [number, number, number];
/** Pairs of a key and a rule, of one operation in one hour. Each has a row for the rule and one for all rules. */
const pairs = Math.floor(rowsPerDay / 24 / OPERATIONS / 2);

const database = await fillSqlite({ spread: 'uniform', keys, days: 1, busy: 0, now });
const { file } = database.settings;
const sqlite = new DatabaseSync(file);
sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000');
const addName = sqlite.prepare('INSERT INTO history_names VALUES (?, ?)');
const FIRST = 1_000_000;
for (let index = 0; index < OPERATIONS; index++) addName.run(FIRST + index, `bench.operation${index}`);
for (let index = 0; index < RULES; index++) addName.run(FIRST + OPERATIONS + index, `type /query/limit${index}`);
const { first } = sqlite.prepare("SELECT min(no) AS first FROM history_names WHERE name LIKE 'key_%'").get() as {
  first: number;
};
sqlite.exec('DROP INDEX violations_by_time; DROP INDEX violations_by_key');
const filling = performance.now();
// In the order of the table, which is the fastest.
const add = sqlite.prepare(`
  WITH RECURSIVE hours(h) AS (SELECT 0 UNION ALL SELECT h + 1 FROM hours WHERE h < ${days * 24 - 1}),
    pairs(p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM pairs WHERE p < ${pairs - 1}),
    rules(r) AS (VALUES (0), (1))
  INSERT OR IGNORE INTO violations
  SELECT :operation, 0, ${now - days * DAY_MS} + h * ${HOUR_MS},
    ${first} + (p * ${Math.floor(keys / pairs)} + h * 7919 + :operation * 31) % ${keys},
    CASE r WHEN 0 THEN ${ALL_NAMES} ELSE ${FIRST + OPERATIONS} + (p + h) % ${RULES} END, 3, 0,
    ${now - days * DAY_MS} + h * ${HOUR_MS}, ${now - days * DAY_MS} + h * ${HOUR_MS} + 1000
  FROM hours, pairs, rules`);
sqlite.exec('BEGIN');
for (let index = 0; index < OPERATIONS; index++) add.run({ operation: FIRST + index });
sqlite.exec('COMMIT');
sqlite.exec(`CREATE INDEX violations_by_time ON violations (at);
  CREATE INDEX violations_by_key ON violations (key_no, at); PRAGMA wal_checkpoint(TRUNCATE)`);
const { rows } = sqlite.prepare('SELECT count(*) AS rows FROM violations').get() as { rows: number };
const keyId = (sqlite.prepare('SELECT name FROM history_names WHERE no = ?').get(first + 5) as { name: string }).name;
sqlite.close();
const megabytes = statSync(file).size / 1e6 - database.megabytes;
process.stdout.write(
  `${rows} rows: ${megabytes.toFixed(0)} MB, ${((megabytes * 1e6) / rows).toFixed(0)} bytes a row ` +
    `(filled in ${((performance.now() - filling) / 1000).toFixed(0)} s)\n`,
);

const history = await openHistoryClient(database.settings, logger);
const all = Array.from({ length: OPERATIONS }, (_, index) => `bench.operation${index}`);
const one = ['bench.operation7'];
async function measure(name: string, daysBack: number, query: Partial<ViolationsQuery>): Promise<string[]> {
  const period = { from: now - daysBack * DAY_MS, to: now };
  const began = performance.now();
  try {
    await history.violations({ operations: one, kind: 'document', by: 'key', limit: 50, ...period, ...query });
    return [name, String(daysBack), ((performance.now() - began) / 1000).toFixed(2)];
  } catch (error) {
    return [name, String(daysBack), (error as Error).message];
  }
}
const table: string[][] = [];
for (const back of [1, 7, days]) {
  table.push(await measure('one operation by key', back, {}));
  table.push(await measure('one operation by rule', back, { by: 'rule' }));
  table.push(await measure('one key', back, { operations: all, key: keyId }));
  table.push(await measure('all operations', back, { operations: all, by: 'operation' }));
}
process.stdout.write(
  `${formatTable(['report', 'days', 's'], table)}\nmemory of the process: ${Math.round(process.memoryUsage().rss / 1e6)} MB\n`,
);
await history.close();
await database.dispose();
