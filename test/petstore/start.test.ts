import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/petstore/store/database.ts';
import type { OpenApiDocument } from '../../src/petstore/http/document.ts';
import { PetStoreStartError } from '../../src/petstore/http/errors.ts';
import upstream from '../../src/petstore/upstream.ts';
import { openapi, startPetstore } from '../support/petstore/petstore.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

function create(dataDir: string, options: unknown = { database: 'pets.db' }, document: OpenApiDocument = openapi) {
  return upstream.create(options, { dataDir, openapi: document, demo: false, logger: quiet });
}

async function expectStartError(start: () => Promise<unknown>, ...parts: string[]): Promise<void> {
  const error: unknown = await start().then(
    () => null,
    (error: unknown) => error,
  );
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
  ['something other than a database', (file) => writeFileSync(file, 'x'.repeat(5000)), ['pets.db', 'backup']],
  [
    'a newer version',
    sql('PRAGMA application_id = 1414745171; PRAGMA user_version = 99'),
    ['pets.db', '99', 'upgrade'],
  ],
  ['another program', sql('CREATE TABLE songs (id INTEGER)'), ['pets.db', 'another program']],
])('a file of %s is refused', async (_, prepare, parts) => {
  const dataDir = fileWith(prepare);
  await expectStartError(() => create(dataDir), dataDir, ...parts);
});

test('a damaged database is refused', async () => {
  const dataDir = temporaryDirectory();
  await (await create(dataDir)).close();
  const file = join(dataDir, 'pets.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096);
  writeFileSync(file, bytes);
  await expectStartError(() => create(dataDir), file, 'backup');
});

test('a path that cannot be created is refused', async () => {
  const dataDir = fileWith((file) => writeFileSync(file, ''));
  await expectStartError(() => create(join(dataDir, 'pets.db')), 'pets.db', 'permissions');
});

test.each([
  [null, '"database" must name a file'],
  [{}, '"database" must name a file'],
  [{ database: '' }, '"database" must name a file'],
  [{ database: 'pets.db', durability: 'some' }, '"durability"'],
  [{ database: 'pets.db', sync: true }, '"sync" is not known'],
])('the module refuses the options %j', async (options, part) => {
  await expectStartError(() => create(temporaryDirectory(), options), part);
});

test('handlers that do not match the document are refused', async () => {
  const { '/store/inventory': _, ...paths } = { ...openapi.paths };
  await expectStartError(
    () => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths }),
    'listInventory',
  );
  const more = { ...openapi.paths, '/more': { get: { operationId: 'more' } } };
  await expectStartError(() => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths: more }), 'more');
});

test('dangling and circular references are refused', async () => {
  for (const reference of ['#/components/nothing', '#/paths/~1more/get']) {
    const more = { ...openapi.paths, '/more': { get: JSON.parse(`{"$ref":"${reference}"}`) } };
    await expectStartError(
      () => create(temporaryDirectory(), { database: 'a.db' }, { ...openapi, paths: more }),
      reference,
    );
  }
});

test('all data is available after a restart, also with full durability', async () => {
  const database = join(temporaryDirectory(), 'deep', 'down', 'pets.db');
  const first = await startPetstore({ database, durability: 'full' });
  const created = await first.post('/categories', { name: 'Dogs' });
  await first.close();
  const second = await startPetstore({ database });
  expect((await second.get(`/categories/${created.body.id}`)).body).toEqual(created.body);
  await second.close();
});

test('demo data is created only in a database that was never used', async () => {
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

describe('a database in use by another process', () => {
  let database: string;
  let other: DatabaseSync;
  let lines: string[];
  beforeEach(() => {
    database = join(temporaryDirectory(), 'pets.db');
    other = new DatabaseSync(database);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    lines = [];
  });
  afterEach(() => {
    if (other.isOpen) other.close();
  });
  const open = (onWait = () => {}, waitLimitMs?: number) => {
    const warn = ({ reason }: { reason: string }) => {
      lines.push(reason);
      onWait();
    };
    return openDatabase(database, { durability: 'normal', logger: { warn }, ...(waitLimitMs && { waitLimitMs }) });
  };

  test('is refused after a wait', async () => {
    await expectStartError(() => open(undefined, 1), database, 'locked by another process: stop that one first');
  });

  // SQLite must not wait by itself, because that would block the process with its log and signal handlers.
  test('is opened after a wait, which is logged immediately', async () => {
    (await open(() => other.close())).close();
    expect(lines).toEqual([
      `${database} is locked by another process: waiting up to 10 s until it has stopped; if it is meant to go on, name another file`,
    ]);
  });

  test('is named in the error with its process, if that is a pet store', async () => {
    other.close();
    const openStore = await open();
    const named = `the pet store that opened it last is process ${process.pid} on ${hostname()} since 2`;
    await expectStartError(() => open(undefined, 1), named);
    expect(lines).toEqual([expect.stringContaining(named)]);
    openStore.close();
  });
});
