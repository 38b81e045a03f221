import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StartError } from '../../src/base/error-types.ts';
import { openSqliteDatabase } from '../../src/storage/sqlite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOLDER = fileURLToPath(new URL('../support/hold-database.ts', import.meta.url));

let folder: ReturnType<typeof tempFolder>;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  file = join(folder.path, 'data', 'tollgate.db');
  lines = [];
});
afterEach(() => folder.remove());

/** The lines that a waiting process logs. */
let lines: string[] = [];
const waitFor = (limitMs: number) => ({ limitMs, onWait: (line: string) => void lines.push(line) });

async function refusal(path: string, limitMs = 0): Promise<string> {
  const error: unknown = await openSqliteDatabase(path, { wait: waitFor(limitMs) }).then(
    (database) => database.close(),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toContain('\n');
  return message;
}

test('the file and its folder are created, and the file is opened again with its data', async () => {
  const first = await openSqliteDatabase(file);
  first.sqlite.exec(`INSERT INTO claims VALUES ('x', 1)`);
  await first.close();
  const second = await openSqliteDatabase(file);
  expect(second.sqlite.prepare('SELECT name, at FROM claims').get()).toEqual({ name: 'x', at: 1 });
  expect(second.sqlite.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  await second.close();
});

describe('a file is refused, and the error says what to do, if it is', () => {
  test('corrupt', async () => {
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(file, 'this is no database, '.repeat(500));
    const message = await refusal(file);
    expect(message).toContain(`${file} is corrupt`);
    expect(message).toContain('restore it from a backup');
    // The first refusal must have released the lock.
    expect(await refusal(file)).toBe(message);
  });

  test('written by a newer version, and the file is not changed', async () => {
    await (await openSqliteDatabase(file)).close();
    const newer = new DatabaseSync(file);
    newer.exec(`INSERT INTO migrations VALUES ('9999 of the future')`);
    newer.close();
    expect(await refusal(file)).toMatch(/newer version of Tollgate \(to "9999 of the future"/);
    const after = new DatabaseSync(file);
    expect(after.prepare('SELECT max(name) AS name FROM migrations').get()).toEqual({ name: '9999 of the future' });
    after.close();
  });

  test('in a folder whose path is a file', async () => {
    writeFileSync(join(folder.path, 'data'), '');
    expect(await refusal(file)).toMatch(/^cannot use database .*TOLLGATE_DATA_DIR/);
  });

  test('a folder itself', async () => {
    mkdirSync(file, { recursive: true });
    expect(await refusal(file)).toContain('cannot use database');
  });
});

describe('while a process uses a file', () => {
  let holder: ChildProcess;
  beforeEach(async () => {
    holder = spawn(process.execPath, [HOLDER, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
  });
  afterEach(async () => {
    if (holder.exitCode !== null || holder.signalCode !== null) return;
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });

  test('another process is refused after a wait, and the error names the process that uses the file', async () => {
    const started = performance.now();
    const message = await refusal(file, 120);
    expect(performance.now() - started).toBeGreaterThanOrEqual(120);
    expect(message).toContain(`${file} is in use by process ${holder.pid} on `);
    expect(message).toContain('TOLLGATE_DATABASE');
    expect(existsSync(file)).toBe(true);
  });

  // A second gateway once waited for 14 seconds without logging anything.
  test('another process logs immediately which process it waits for and how long, and opens the file once it is free', async () => {
    const logged = Promise.withResolvers<void>();
    const onWait = (line: string) => {
      lines.push(line);
      logged.resolve();
    };
    const opening = openSqliteDatabase(file, { wait: { limitMs: 30_000, onWait } });
    await logged.promise;
    holder.stdin!.end();
    await (await opening).close();
    const holderName = `process ${holder.pid} on ${hostname()} since 2`;
    expect(lines).toEqual([
      expect.stringMatching(`^database ${file} is in use by ${holderName}[^,]*: waiting up to 30 s `),
    ]);
  });

  test('a process that does not wait logs nothing', async () => {
    expect(await refusal(file)).toMatch(/ since [^,]*: stop that process/);
    expect(lines).toEqual([]);
  });

  test('killing it releases its lock, and its committed data is kept', async () => {
    const opening = openSqliteDatabase(file, { wait: waitFor(30_000) });
    holder.kill('SIGKILL');
    const database = await opening;
    expect(database.sqlite.prepare('SELECT count(*) AS n FROM plans').get()).toEqual({ n: 0 });
    await database.close();
  });

  test('the same process cannot open the file again either', async () => {
    holder.kill('SIGKILL');
    const first = await openSqliteDatabase(file, { wait: waitFor(30_000) });
    expect(await refusal(file)).toContain(`in use by process ${process.pid} on `);
    await first.close();
    await (await openSqliteDatabase(file)).close();
  });
});
