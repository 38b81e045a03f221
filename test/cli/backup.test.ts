/** `tollgate backup` and `tollgate restore` work while a gateway runs. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backUp } from '../../src/storage/sqlite-backup.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
let data: string;
beforeEach(() => {
  folder = tempFolder();
  data = inFolder('data');
  mkdirSync(data);
});
afterEach(() => folder.remove());

const inFolder = (name: string) => join(folder.path, name);
const names = ['admin-token', 'counters.db', 'history.db', 'tollgate.db'];
const readMode = (path: string) => (statSync(path).mode & 0o777).toString(8);

function tollgate(command: 'backup' | 'restore', name: string, env: Record<string, string> = {}) {
  return runCommand([command, name], {
    cwd: folder.path,
    env: { TOLLGATE_DATA_DIR: data, TOLLGATE_DATABASE: 'sqlite:tollgate.db', TOLLGATE_STORE: 'embedded', ...env },
  });
}

/** Creates a database with a single counter. */
function createCounter(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA journal_mode = WAL; CREATE TABLE counts (n INTEGER); INSERT INTO counts VALUES (0)');
  return sqlite;
}

function countIn(file: string): number {
  using sqlite = new DatabaseSync(file, { readOnly: true });
  return Number(sqlite.prepare('SELECT n FROM counts').get()?.['n']);
}

describe('a running gateway', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    writeFileSync(join(data, 'admin-token'), 'a secret\n');
    gateway = await startTestGateway({ dataDir: data });
  });

  const call = async (to: TestGateway, key: string) => (await to.call('/pets', { key })).text();
  async function listKeys(of: TestGateway): Promise<unknown[]> {
    return ((await (await of.admin('/v1/keys')).json()) as { items: unknown[] }).items;
  }
  async function countRequests(of: TestGateway): Promise<number> {
    const { series } = (await (await of.admin('/v1/usage?by=key')).json()) as {
      series: { totals: { requests: number } }[];
    };
    return series[0]?.totals.requests ?? 0;
  }
  function dayUsed(): number {
    using counters = new DatabaseSync(join(data, 'counters.db'), { readOnly: true });
    return Number(counters.prepare('SELECT max(day_used) AS used FROM quotas').get()?.['used'] ?? 0);
  }

  test('can be backed up, and the backup restores its counters and history', async () => {
    for (let calls = 0; calls < 5; calls++) await call(gateway, gateway.demoKey);
    await until(async () => dayUsed() === 5 && (await countRequests(gateway)) === 5);
    const keys = await listKeys(gateway);
    expect(await tollgate('backup', 'backup')).toEqual({
      code: 0,
      err: '',
      out: `tollgate.db  keys, plans, accounts, webhooks, events and the audit log
counters.db  counters and bans
history.db   the history
admin-token  the admin token
Backed up to ${inFolder('backup')}. Databases of services, such as the pet store, are not part of it.
`,
    });
    expect(readdirSync(inFolder('backup')).sort()).toEqual(names);
    expect(readMode(inFolder('backup'))).toBe('700');
    for (const name of names) expect(readMode(join(inFolder('backup'), name))).toBe('600');
    expect(readdirSync(folder.path).sort()).toEqual(['backup', 'data']);

    // Changes that are made later are not in the backup.
    await call(gateway, gateway.demoKey);
    const { id } = keys[0] as { id: string };
    await gateway.admin(`/v1/keys/${id}`, { method: 'DELETE' });
    const refused = await tollgate('restore', 'backup');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`${data}/tollgate.db is in use by process`),
    ]);
    await gateway.stop();

    const restored = inFolder('restored/data');
    expect(await tollgate('restore', 'backup', { TOLLGATE_DATA_DIR: restored })).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^Restored tollgate\.db, counters\.db, history\.db, admin-token to .+\.\nNext: start the gateway/,
      ),
    });
    for (const name of names) expect(readMode(join(restored, name))).toBe('600');
    expect(readFileSync(join(restored, 'admin-token'), 'utf8')).toBe('a secret\n');
    const again = await startTestGateway({ dataDir: restored });
    try {
      expect(await listKeys(again)).toEqual(keys);
      expect(await countRequests(again)).toBe(5);
      const usage = await again.call('/_gateway/usage', { key: gateway.demoKey });
      expect(await usage.json()).toMatchObject({ windows: [{ name: 'minute' }, { name: 'day', used: 5 }] });
    } finally {
      await again.stop();
    }
  });

  test('can be backed up after it was killed, including its write-ahead logs', async () => {
    const keys = await listKeys(gateway);
    const killed = inFolder('killed');
    mkdirSync(killed);
    for (const name of readdirSync(data).filter((each) => /^(tollgate|counters|history)\.db(-wal)?$/.test(each)))
      copyFileSync(join(data, name), join(killed, name));
    await gateway.stop();
    expect(statSync(join(killed, 'tollgate.db-wal')).size).toBeGreaterThan(0);
    expect(await tollgate('backup', 'backup', { TOLLGATE_DATA_DIR: killed })).toMatchObject({ code: 0, err: '' });
    expect(await tollgate('restore', 'backup', { TOLLGATE_DATA_DIR: inFolder('restored') })).toMatchObject({
      code: 0,
      out: expect.stringContaining('The backup does not have admin-token: the admin token.\n'),
    });
    const again = await startTestGateway({ dataDir: inFolder('restored') });
    expect(await listKeys(again)).toEqual(keys);
    await again.stop();
  });
});

test('all databases are copied at a single point in time, even with concurrent writes', async () => {
  const files = ['tollgate.db', 'counters.db', 'history.db'].map((name) => join(data, name));
  const opened = files.map(createCounter);
  // The database is large enough to be copied in several steps.
  opened[0]?.exec(`CREATE TABLE filler AS WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up LIMIT 20000)
    SELECT hex(randomblob(500)) AS text FROM up`);
  const write = () => opened.forEach((sqlite) => sqlite.exec('UPDATE counts SET n = n + 1'));
  write();
  const installation = { records: files[0] ?? '', dataDir: data, otherFiles: [] };
  let [steps, last] = [0, [0, 1]];
  await backUp(installation, inFolder('backup'), (done, total) => {
    steps++;
    last = [done, total];
    write();
  });
  expect(steps).toBeGreaterThan(5);
  expect(last[0]).toBe(last[1]);
  expect(files.map(countIn)).toEqual([steps + 1, steps + 1, steps + 1]);
  const copies = readdirSync(inFolder('backup'));
  expect(copies.map((name) => countIn(join(inFolder('backup'), name)))).toEqual([1, 1, 1]);
  opened.forEach((sqlite) => sqlite.close());
});

describe('commands that are refused and leave nothing behind', () => {
  const refusal = async (command: 'backup' | 'restore', name: string, env?: Record<string, string>) => {
    const before = readdirSync(folder.path);
    const { code, out, err } = await tollgate(command, name, env);
    expect([code, out]).toEqual([1, '']);
    expect(readdirSync(folder.path)).toEqual(before);
    return err;
  };
  const make = (...files: string[]) => files.forEach((file) => createCounter(inFolder(file)).close());

  test('a backup into a folder that is not empty is refused', async () => {
    make('data/tollgate.db');
    expect(await refusal('backup', 'data')).toContain('/data is not empty: name a new folder');
    writeFileSync(inFolder('file'), '');
    expect(await refusal('backup', 'file')).toContain('/file is not a folder: name a new folder');
    expect(await refusal('backup', 'file/below')).toMatch(/cannot write the backup .*file\/below \(EEXIST/);
    mkdirSync(inFolder('empty'));
    expect(await tollgate('backup', 'empty')).toMatchObject({ code: 0 });
  });

  test('a backup is refused if there is no database, or if one is corrupt', async () => {
    expect(await refusal('backup', 'backup')).toContain(`there is no database ${data}/tollgate.db`);
    make('data/tollgate.db');
    writeFileSync(join(data, 'history.db'), 'x'.repeat(5000));
    expect(await refusal('backup', 'backup')).toMatch(/history\.db is corrupt \(file is not a database\)/);
    const bytes = readFileSync(join(data, 'tollgate.db'));
    writeFileSync(join(data, 'history.db'), bytes.fill(0xff, 4200));
    expect(await refusal('backup', 'backup')).toMatch(/history\.db is corrupt \(/);
  });

  test('a restore is refused if the folder is not a backup, or if a file in it is corrupt', async () => {
    expect(await refusal('restore', 'none')).toContain('/none is not a backup: it has no tollgate.db');
    make('tollgate.db');
    mkdirSync(inFolder('backup'));
    copyFileSync(inFolder('tollgate.db'), inFolder('backup/tollgate.db'));
    writeFileSync(inFolder('backup/counters.db'), 'x'.repeat(5000));
    expect(await refusal('restore', 'backup')).toMatch(/backup\/counters\.db is corrupt/);
    expect(readdirSync(data).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  // A pipe once blocked the command, and links were once followed.
  test('a restore is refused if its source or its target is a pipe or a symbolic link', async () => {
    make('tollgate.db');
    mkdirSync(inFolder('backup'));
    copyFileSync(inFolder('tollgate.db'), inFolder('backup/tollgate.db'));
    execFileSync('mkfifo', [inFolder('backup/history.db')]);
    expect(await refusal('restore', 'backup')).toContain('/backup/history.db is not a file: copy it there');
    rmSync(inFolder('backup/history.db'));
    symlinkSync('/etc/hostname', inFolder('backup/admin-token'));
    expect(await refusal('restore', 'backup')).toContain('/backup/admin-token is not a file: copy it there');
    rmSync(inFolder('backup/admin-token'));
    symlinkSync(inFolder('elsewhere'), join(data, 'tollgate.db'));
    expect(await refusal('restore', 'backup')).toContain(`there is data already: ${data}/tollgate.db`);
    rmSync(join(data, 'tollgate.db'));
    writeFileSync(inFolder('other'), 'other', { mode: 0o644 });
    symlinkSync(inFolder('other'), join(data, 'tollgate.db.restored'));
    expect(await tollgate('restore', 'backup')).toMatchObject({ code: 0 });
    expect([readFileSync(inFolder('other'), 'utf8'), statSync(inFolder('other')).mode & 0o777]).toEqual([
      'other',
      0o644,
    ]);
  });

  test('a restore over existing data is refused', async () => {
    make('data/history.db', 'tollgate.db');
    mkdirSync(inFolder('backup'));
    copyFileSync(inFolder('tollgate.db'), inFolder('backup/tollgate.db'));
    expect(await refusal('restore', 'backup')).toContain(
      `there is data already: ${data}/history.db. Move that file out of the way, or set TOLLGATE_DATA_DIR to an empty folder`,
    );
    expect(existsSync(join(data, 'tollgate.db'))).toBe(false);
  });

  test('a backup or restore with PostgreSQL is refused, and the error names the tool to use', async () => {
    const env = { TOLLGATE_DATABASE: 'postgres://a:hush@127.0.0.1:1/b', TOLLGATE_STORE: 'redis://127.0.0.1:1' };
    expect(await refusal('backup', 'backup', env)).toContain('pg_dump --format custom');
    expect(await refusal('restore', 'backup', env)).toContain('restore a dump with pg_restore');
  });
});

test('the database named in the settings is backed up, but counters in Redis are not', async () => {
  createCounter(join(data, 'other.db')).close();
  const env = { TOLLGATE_DATABASE: 'sqlite:other.db', TOLLGATE_STORE: 'redis://127.0.0.1:1' };
  const { code, out } = await tollgate('backup', 'backup', env);
  expect([code, out]).toEqual([0, expect.stringContaining('Counters and bans are in Redis: they are not part')]);
  expect(readdirSync(inFolder('backup'))).toEqual(['tollgate.db']);
  const target = { ...env, TOLLGATE_DATA_DIR: inFolder('new') };
  expect(await tollgate('restore', 'backup', target)).toMatchObject({ code: 0 });
  expect(countIn(inFolder('new/other.db'))).toBe(0);
});
