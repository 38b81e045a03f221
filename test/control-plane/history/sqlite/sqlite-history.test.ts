import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { Values } from '../../../../src/control-plane/history/reports/reader.ts';
import { createSource } from '../../../../src/control-plane/history/reports/selection.ts';
import { attachRecords, bindParameters } from '../../../../src/control-plane/history/sqlite/sqlite-write.ts';
import { createHistoryTables } from '../../../../src/storage/history-tables.ts';
import { historyStoreContract } from '../../../contract/history-store.contract.ts';
import { sqliteHistoryDatabase } from '../../../support/history/history-database.ts';

historyStoreContract('SQLite', sqliteHistoryDatabase);

test('a history without counts of client errors is migrated once and keeps its counts', async () => {
  const database = await sqliteHistoryDatabase();
  const before = new DatabaseSync(database.historyFile);
  before.exec(`
    ${createHistoryTables('sqlite').join(';')};
    INSERT INTO usage_days
      (key_no, at, operation_no, outcome_no, requests, refused, errors, units, refused_units, durations)
      VALUES (1, 86400000, 1, 1, 7, 2, 1, 5, 2, x'');
    PRAGMA user_version = 1`);
  before.close();
  for (let start = 1; start <= 2; start++) {
    const history = await database.open();
    const query = { from: 0, to: 2 * 86_400_000, every: 'day', limit: 10, now: 2 * 86_400_000 } as const;
    const [all] = (await history.usage(query)).series;
    expect(all?.totals).toMatchObject({ requests: 7, refused: 2, errors: 1, clientErrors: 0 });
    await history.close();
  }
  await database.dispose();
});

const DAYS = { from: 0, to: 365 * 86_400_000, every: 'day', owner: undefined, plan: undefined } as const;
const ALL_KEYS = { keyNo: undefined, chainOf: undefined, operationNo: undefined, outcomeNo: undefined } as const;

/** The report once read all keys of a plan again for each slice, which took minutes with 100,000 keys. */
test.each([
  ['by plan', { by: 'plan' }, ['free']],
  ['by owner', { by: 'owner' }, ['acme']],
  ['by operation, of a plan', { by: 'operation', plan: 'free' }, undefined],
] as const)('each slice of a report %s reads only the keys in this slice', async (_, asked, groups) => {
  const database = await sqliteHistoryDatabase();
  await (await database.open()).close();
  const sqlite = new DatabaseSync(database.historyFile);
  attachRecords(sqlite, (database.location as { file: string }).file);
  const values = new Values();
  const { group, from, where, keysPerSlice } = createSource({ ...DAYS, ...ALL_KEYS, ...asked }, values, groups);
  expect(keysPerSlice).not.toBeNull();
  const text = `SELECT ${group}, u.at, sum(u.requests) FROM ${from} WHERE ${where} AND n.no BETWEEN 0 AND 53 GROUP BY 1, 2`;
  const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(bindParameters(values.list));
  expect(plan.map(({ detail }) => String(detail))).toEqual([
    expect.stringMatching(/^SEARCH n USING INTEGER PRIMARY KEY/),
    expect.stringMatching(/^SEARCH k USING .*\(id=\?\)/),
    expect.stringMatching(/^SEARCH u USING PRIMARY KEY/),
    expect.stringMatching(/GROUP BY/),
  ]);
  sqlite.close();
  await database.dispose();
});
