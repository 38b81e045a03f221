import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type PostgresDatabases, query } from './postgres-databases.ts';
import { sharedPostgres } from './shared-servers.ts';

/** Test files share a server, but a file must not see rows or locks that a failed test in another file left behind. */
let file: PostgresDatabases;
let otherFile: PostgresDatabases;
beforeAll(async () => {
  [file, otherFile] = await Promise.all([sharedPostgres(), sharedPostgres()]);
});
afterAll(() => otherFile.dropDatabases());

const INSERT = `INSERT INTO claims (name, at) VALUES ('one', 1)`;
const COUNT = 'SELECT count(*)::int AS rows FROM claims';

test('a test file has its own databases, and a released database is empty when it is borrowed again', async () => {
  const [one, other] = [await file.borrowDatabase(), await otherFile.borrowDatabase()];
  await query(one, INSERT);
  expect(await query(one, COUNT)).toEqual([{ rows: 1 }]);
  expect(await query(other, COUNT)).toEqual([{ rows: 0 }]);
  await file.releaseDatabase(one);
  expect(await file.borrowDatabase()).toBe(one);
  expect(await query(one, COUNT)).toEqual([{ rows: 0 }]);
  await otherFile.releaseDatabase(other);
});

test('the databases of a test file are dropped even while they are in use, and those of other files stay', async () => {
  const [one, other] = [await file.borrowDatabase(), await otherFile.borrowDatabase()];
  const forgotten = new pg.Client(one);
  const ended = new Promise((resolve) => forgotten.once('end', resolve));
  forgotten.on('error', () => {});
  await forgotten.connect();
  await forgotten.query(`BEGIN; ${INSERT}`);
  await file.dropDatabases();
  await ended;
  await expect(query(one, COUNT)).rejects.toThrow('does not exist');
  expect(await query(other, COUNT)).toEqual([{ rows: 0 }]);
});
