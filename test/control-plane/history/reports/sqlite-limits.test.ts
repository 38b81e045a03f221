/**
 * A report over all data must not block the database. It has a time limit, even within a single step of SQLite, which
 * nothing outside can interrupt. While a report runs, counts are written.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import type { HistoryStore } from '../../../../src/control-plane/history/store/history-store.ts';
import type { Reader } from '../../../../src/control-plane/history/reports/reader.ts';
import { readViolations } from '../../../../src/control-plane/history/reports/violations-report.ts';
import { SqliteReports } from '../../../../src/control-plane/history/sqlite/sqlite-reports.ts';
import { type HistoryDatabase, sqliteHistoryDatabase } from '../../../support/history/history-database.ts';
import { NOW, sampleEvents, writeEvents } from '../../../support/history/sample.ts';

const LIMIT_MS = 300;
const ENDLESS = 'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)';

let database: HistoryDatabase;
let history: HistoryStore;
let reports: SqliteReports;

beforeEach(async () => {
  database = await sqliteHistoryDatabase();
  history = await database.open();
  reports = new SqliteReports(database.historyFile, recordsFile(), LIMIT_MS);
});
afterEach(async () => {
  reports.close();
  await history.close();
  await database.dispose();
});

function recordsFile(): string {
  const { location } = database;
  if (location.kind !== 'sqlite') throw new Error('this is about SQLite');
  return location.file;
}

test('a long step of SQLite ends at the time limit of its report, and the next report works', async () => {
  const endless = reports.run((reader) =>
    reader.rows(`${ENDLESS} SELECT sum(n) FROM numbers WHERE ${reader.inTimeCondition}`, []),
  );
  await expect(endless).rejects.toThrow(StoreUnavailable);
  await expect(endless).rejects.toThrow('took too long');
  expect(await reports.run((reader) => reader.rows('SELECT 1 AS one', []))).toMatchObject([{ one: 1 }]);
});

const GROUPED_BY = ['key', 'owner', 'rule', 'operation', 'operationRule'] as const;

test.each(GROUPED_BY)('every step of a report by %s about requests that do not fit checks the time', async (by) => {
  const figures = { keyId: 'key_a', refused: 0, requests: 1, hour: 0, firstAt: 0, lastAt: 0 };
  const violations = ['listPets', 'addPet'].flatMap((operation) =>
    [null, 'type /age'].map((rule) => ({ ...figures, operation, kind: 'document' as const, rule })),
  );
  await history.write({ writer: 'test', sequence: 1, rows: [], violations });
  const texts: string[] = [];
  const defaultReports = new SqliteReports(database.historyFile, recordsFile());
  for (const selection of [{}, { operations: ['listPets', 'addPet'] }, { key: 'key_a' }, { chainOf: 'key_a' }]) {
    const query = {
      operations: ['listPets'],
      kind: 'document',
      by,
      from: 0,
      to: NOW,
      limit: 100,
      ...selection,
    } as const;
    await defaultReports.run((reader) => {
      const rows: Reader['rows'] = (text, values) => {
        texts.push(text);
        return reader.rows(text, values);
      };
      return readViolations(Object.assign(Object.create(reader) as Reader, { rows }), query);
    });
  }
  defaultReports.close();
  const count = (pattern: RegExp) => texts.map((text) => text.match(pattern)?.length ?? 0);
  const tables = count(/FROM violation/g);
  expect(tables.some((number) => number > 0)).toBe(true);
  for (const [index, checks] of count(/in_time\(\)/g).entries()) expect(checks).toBeGreaterThanOrEqual(tables[index]!);
});

test('counts are written while a report reads, and the report does not see them', async () => {
  const defaultReports = new SqliteReports(database.historyFile, recordsFile());
  const rowCount = 'SELECT count(*) AS rows FROM usage_minutes';
  const rows = 500_000;
  let read = 0;
  const report = defaultReports.run(async (reader) => {
    const before = await reader.rows(rowCount, []);
    await reader.forEachRow(`${ENDLESS} SELECT n FROM numbers LIMIT $1`, [rows], () => void read++);
    return { before, after: await reader.rows(rowCount, []) };
  });
  await writeEvents(history, 'a gateway', sampleEvents(['key'], 50));
  expect(read).toBeLessThan(rows);
  const { before, after } = await report;
  expect(read).toBe(rows);
  expect(after).toEqual(before);
  const { series } = await history.usage({ from: 0, to: NOW, every: 'day', limit: 1, now: NOW });
  expect(series[0]?.totals.requests).toBeGreaterThan(0);
  defaultReports.close();
});

test('a short report does not wait for a long one', async () => {
  const defaultReports = new SqliteReports(database.historyFile, recordsFile());
  let isOver = false;
  const long = defaultReports
    .run((reader) => reader.forEachRow(`${ENDLESS} SELECT n FROM numbers LIMIT $1`, [200_000], () => {}))
    .then(() => (isOver = true));
  expect(await defaultReports.run((reader) => reader.rows('SELECT 1 AS one', []))).toMatchObject([{ one: 1 }]);
  expect(isOver).toBe(false);
  await long;
  defaultReports.close();
});

test('at most twenty reports wait, and further ones are rejected', async () => {
  const query = { from: 0, to: NOW, every: 'day', limit: 1, now: NOW } as const;
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => history.usage(query)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const one of refused) expect(one).toMatchObject({ reason: expect.any(StoreUnavailable) });
  expect(await history.usage(query)).toMatchObject({ every: 'day' });
});
