import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openSqliteDatabase, type SqliteDatabase } from '../../../../src/storage/sqlite.ts';
import { buildLastUsesUpdate } from '../../../../src/control-plane/registry/key-rows.ts';

// SQLite once scanned all keys to find a full batch. With 200,000 keys, a batch blocked all requests for 80 ms, and
// with a million keys, five times as long.

let folder: string;
let database: SqliteDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
  database = await openSqliteDatabase(join(folder, 'test.db'));
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test.each([1, 100, 1000])('the last uses of %i keys are written without reading all keys', async (count) => {
  const lastUsed = Array.from({ length: count }, (_, index) => [index, index] as const);
  const compiled = await database.read(async (queries) => buildLastUsesUpdate(lastUsed).compile(queries));
  const plan = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${compiled.sql}`).all(...(compiled.parameters as string[]));
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps).toContainEqual(expect.stringContaining('SEARCH keys USING INTEGER PRIMARY KEY (rowid=?)'));
  expect(steps).not.toContainEqual(expect.stringContaining('SCAN keys'));
});
