/**
 * If `tollgate.db` was emptied or lost, the gateway once started with an empty registry and no warning. It refused
 * every key, although the counters and the history still existed.
 */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StartError } from '../../src/base/error-types.ts';
import { migrateAt } from '../../src/storage/open.ts';
import { moveInstallation } from '../../src/control-plane/history/move-installation.ts';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  file = join(folder.path, 'tollgate.db');
});
afterEach(() => folder.remove());

const inFolder = (name: string) => join(folder.path, name);
const remove = (...names: string[]) => names.forEach((name) => rmSync(inFolder(name), { recursive: true }));

/** Starts a gateway and stops it. */
async function run(options: TestGatewayOptions = {}): Promise<void> {
  const gateway = await startTestGateway({ dataDir: folder.path, ...options });
  await gateway.stop();
}

async function refusal(start: () => Promise<unknown> = run): Promise<string> {
  const error: unknown = await start().then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the start is refused without changing anything if records were lost, with', () => {
  beforeEach(() => run());

  test('an empty file', async () => {
    truncateSync(file);
    const message = await refusal();
    expect(message).toContain(`${file} is empty`);
    expect(message).toContain(`${inFolder('counters.db')}, ${inFolder('history.db')}`);
    expect(message).toContain('restore it from a backup');
    expect(message).toContain('To start with an empty database and lose all keys');
    expect(statSync(file).size).toBe(0);
    expect(await refusal()).toBe(message);
  });

  test('no file', async () => {
    remove('tollgate.db');
    expect(await refusal()).toContain(`${file} is missing`);
    expect(existsSync(file)).toBe(false);
  });

  test('a file without tables, such as a copy made without its -wal', async () => {
    remove('tollgate.db');
    const sqlite = new DatabaseSync(file);
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA application_id = 0');
    sqlite.close();
    expect(statSync(file).size).toBeGreaterThan(0);
    expect(await refusal()).toContain(`${file} has no tables`);
  });

  test.each(['counters.db', 'history.db'])('only the file %s left', async (left) => {
    remove(...readdirSync(folder.path).filter((name) => name.endsWith('.db') && name !== left));
    expect(await refusal()).toContain(inFolder(left));
  });

  test('a file in another folder, whose volume is not mounted', async () => {
    const elsewhere = inFolder('volume/tollgate.db');
    expect(await refusal(() => run({ settings: { database: `sqlite:${elsewhere}` } }))).toContain(
      `${elsewhere} is missing`,
    );
  });

  test('the commands that create or move databases, too', async () => {
    truncateSync(file);
    expect(await refusal(() => migrateAt({ kind: 'sqlite', file }, folder.path))).toContain(`${file} is empty`);
    const move = { file, dataDir: folder.path, url: 'postgres://127.0.0.1:1/none', onProgress() {} };
    expect(await refusal(() => moveInstallation(move))).toContain(`${file} is empty`);
    expect(statSync(file).size).toBe(0);
  });

  test('until the listed files are moved away, and the gateway starts with an empty database', async () => {
    truncateSync(file);
    remove('counters.db', 'history.db');
    await run();
  });
});

test('a -wal file without its database is refused and not deleted', async () => {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE lost (id INTEGER)');
  copyFileSync(`${file}-wal`, inFolder('copy'));
  sqlite.close();
  rmSync(file);
  copyFileSync(inFolder('copy'), `${file}-wal`);
  const { size } = statSync(`${file}-wal`);
  expect(size).toBeGreaterThan(0);
  expect(await refusal()).toContain(`${file}-wal`);
  expect(statSync(`${file}-wal`).size).toBe(size);
});

describe('the gateway starts with', () => {
  test('a folder that is empty at two starts', async () => {
    await run();
    await run();
  });

  test('only the admin token and the pet store', async () => {
    await run();
    remove(...readdirSync(folder.path).filter((name) => !/^(petstore\.db|gateway\.yaml)/.test(name)));
    writeFileSync(inFolder('admin-token'), 'a'.repeat(43));
    await run();
  });

  test('a first start that was killed before it created its tables', async () => {
    writeFileSync(file, '');
    writeFileSync(inFolder('counters.db'), '');
    await run();
  });

  test('a first start that was killed while it created its tables', async () => {
    const sqlite = new DatabaseSync(file);
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; BEGIN; CREATE TABLE made (text TEXT)');
    // The data exceeds the cache, so that pages are written before the transaction is committed.
    sqlite.exec(`INSERT INTO made SELECT hex(zeroblob(100000)) FROM json_each('[1,2,3]')`);
    for (const name of [file, `${file}-wal`]) copyFileSync(name, `${name}.copy`);
    sqlite.close();
    for (const name of [file, `${file}-wal`]) renameSync(`${name}.copy`, name);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await run();
  });

  test('a first start that was killed before it created plans', async () => {
    await run();
    const sqlite = new DatabaseSync(file);
    sqlite.exec('DELETE FROM keys; DELETE FROM plans; DELETE FROM audit; DELETE FROM claims');
    sqlite.close();
    await run();
  });

  test('records in PostgreSQL, with older files left over', async () => {
    await run();
    truncateSync(file);
    // A gateway starts even if neither of its servers is available.
    await run({ env: { TOLLGATE_DATABASE: 'postgres://127.0.0.1:1/none', TOLLGATE_STORE: 'redis://127.0.0.1:1' } });
  });

  test('records restored without counters and history', async () => {
    await run();
    remove('counters.db', 'history.db');
    await run();
  });
});
