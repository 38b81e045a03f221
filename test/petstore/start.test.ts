import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/petstore/database.ts';
import type { OpenApiDocument } from '../../src/petstore/document.ts';
import { PetStoreStartError } from '../../src/petstore/http/errors.ts';
import upstream from '../../src/petstore/upstream.ts';
import { openapi, startPetstore } from '../support/petstore/petstore.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

function create(dataDir: string, options: unknown = { database: 'pets.db' }, document: OpenApiDocument = openapi) {
  return upstream.create(options, { dataDir, openapi: document, demo: false, logger: quiet });
}

function expectStartError(start: () => unknown, ...parts: string[]): void {
  let error: unknown;
  try {
    start();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(PetStoreStartError);
  const { message } = error instanceof Error ? error : { message: '' };
  expect(message).not.toContain('\n');
  for (const part of parts) expect(message).toContain(part);
}

function fileWith(prepare: (file: string) => void): string {
  const dataDir = temporaryDirectory();
  prepare(join(dataDir, 'pets.db'));
  return dataDir;
}

const sql = (text: string) => (file: string) => {
  const db = new DatabaseSync(file);
  db.exec(text);
  db.close();
};

test.each<[string, (file: string) => void, string[]]>([
  ['no database at all', (file) => writeFileSync(file, 'x'.repeat(5000)), ['pets.db', 'backup']],
  [
    'a newer version',
    sql('PRAGMA application_id = 1414745171; PRAGMA user_version = 99'),
    ['pets.db', '99', 'upgrade'],
  ],
  ['another program', sql('CREATE TABLE songs (id INTEGER)'), ['pets.db', 'another program']],
])('a file of %s', (_, prepare, parts) => {
  const dataDir = fileWith(prepare);
  expectStartError(() => create(dataDir), dataDir, ...parts);
});

test('a damaged database', async () => {
  const dataDir = temporaryDirectory();
  await create(dataDir).close();
  const file = join(dataDir, 'pets.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096);
  writeFileSync(file, bytes);
  expectStartError(() => create(dataDir), file, 'backup');
});

test('a path that cannot be made', () => {
  const dataDir = fileWith((file) => writeFileSync(file, ''));
  expectStartError(() => create(join(dataDir, 'pets.db')), 'pets.db', 'permissions');
});

test.each([
  [null, '"database" must name a file'],
  [{}, '"database" must name a file'],
  [{ database: '' }, '"database" must name a file'],
  [{ database: 'pets.db', durability: 'some' }, '"durability"'],
  [{ database: 'pets.db', sync: true }, '"sync" is not known'],
])('options %j', (options, part) => {
  expectStartError(() => create(temporaryDirectory(), options), part);
});

test('a document and handlers that differ', () => {
  const { '/store/inventory': _, ...paths } = { ...openapi.paths };
  expectStartError(() => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths }), 'listInventory');
  const more = { ...openapi.paths, '/more': { get: { operationId: 'more' } } };
  expectStartError(() => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths: more }), 'more');
});

test('references to nothing and to themselves', () => {
  for (const reference of ['#/components/nothing', '#/paths/~1more/get']) {
    const more = { ...openapi.paths, '/more': { get: JSON.parse(`{"$ref":"${reference}"}`) } };
    expectStartError(() => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths: more }), reference);
  }
});

test('everything is there again after a restart, with full durability too', async () => {
  const database = join(temporaryDirectory(), 'deep', 'down', 'pets.db');
  const first = await startPetstore({ database, durability: 'full' });
  const made = await first.post('/categories', { name: 'Dogs' });
  await first.close();
  const second = await startPetstore({ database });
  expect((await second.get(`/categories/${made.body.id}`)).body).toEqual(made.body);
  await second.close();
});

test('demo data is for a database in which nothing was ever stored', async () => {
  const database = join(temporaryDirectory(), 'pets.db');
  const first = await startPetstore({ database, demo: true });
  const orders = (await first.get('/store/orders')).body;
  expect(orders).toHaveLength(1);
  for (const { id } of orders) await first.delete(`/store/orders/${id}`);
  const pets = (await first.get('/pets')).body;
  expect(pets.map((pet: { status: string }) => pet.status)).toEqual(
    expect.arrayContaining(['available', 'pending', 'sold']),
  );
  for (const { id } of pets) await first.delete(`/pets/${id}`);
  for (const { id } of (await first.get('/categories')).body) await first.delete(`/categories/${id}`);
  await first.close();
  const second = await startPetstore({ database, demo: true });
  expect((await second.get('/categories')).body).toEqual([]);
  await second.close();
});

test('a database that another process has', async () => {
  const database = join(temporaryDirectory(), 'pets.db');
  const other = new DatabaseSync(database);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  // The wait is SQLite's own and real, so it is made short here.
  expectStartError(() => openDatabase(database, 'normal', 1), database, 'locked by another process');
  other.close();
  openDatabase(database, 'normal', 1).close();
});
