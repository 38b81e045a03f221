import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openCounters } from '../../src/storage/counters.ts';
import { openSqliteDatabase } from '../../src/storage/sqlite.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A database of version 1. It has keys, plans, audit and quotas in one file, and migrations of its own. */
const VERSION_ONE = `
  CREATE TABLE plans (id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, minute_limit INTEGER,
    day_limit INTEGER, custom INTEGER NOT NULL, mode TEXT NOT NULL, on_store_failure TEXT NOT NULL,
    revision INTEGER NOT NULL) STRICT;
  CREATE TABLE keys (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, owner TEXT NOT NULL, plan TEXT NOT NULL, minute_limit INTEGER, day_limit INTEGER,
    status TEXT NOT NULL, metadata TEXT NOT NULL, prefix TEXT NOT NULL, last_four TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER, quota_id TEXT NOT NULL, rotated_to TEXT,
    revision INTEGER NOT NULL) STRICT;
  CREATE INDEX keys_by_owner ON keys (owner, sequence);
  CREATE INDEX keys_by_plan ON keys (plan, sequence);
  CREATE TABLE audit (sequence INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL,
    action TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT, before TEXT, after TEXT) STRICT;
  CREATE INDEX audit_by_subject ON audit (subject, sequence);
  CREATE INDEX audit_by_actor ON audit (actor, sequence);
  CREATE TABLE claims (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE quotas (quota_id TEXT PRIMARY KEY, seen INTEGER NOT NULL, minute_start INTEGER NOT NULL,
    minute_used INTEGER NOT NULL, minute_refused_at INTEGER NOT NULL, day_start INTEGER NOT NULL,
    day_used INTEGER NOT NULL, day_refused_at INTEGER NOT NULL, strikes INTEGER NOT NULL, strikes_since INTEGER NOT NULL,
    shadow INTEGER NOT NULL, ban_from INTEGER NOT NULL, ban_until INTEGER NOT NULL, ban_level INTEGER NOT NULL,
    ban_manual INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
  INSERT INTO plans VALUES ('free', 'Free', '', 60, 1000, 0, 'enforce', 'local', 1);
  INSERT INTO audit VALUES (1, 5, 'system', 'plans.seed', 'free', NULL, NULL, '{}');
  INSERT INTO claims VALUES ('plans.seed', 5);
  INSERT INTO keys VALUES
    (1, 'key_a', 'hash-a', 'Old shop', 'acme', 'free', NULL, NULL, 'active', '{}', 'tg_live_aaaa', 'zzzz', 5, 9, NULL,
     'key_a', 'key_b', 1),
    (2, 'key_b', 'hash-b', 'Old shop', 'acme', 'free', NULL, NULL, 'active', '{}', 'tg_live_bbbb', 'zzzz', 6, NULL, NULL,
     'key_a', NULL, 1);
  INSERT INTO quotas VALUES ('key_a', 7, 7, 3, 0, 7, 30, 0, 0, 0, 0, 0, 0, 0, 0, 99);`;
const ADDED_LATER = 'CREATE INDEX audit_by_action ON audit (action, sequence); PRAGMA user_version = 2;';

let folder: ReturnType<typeof tempFolder>;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  file = join(folder.path, 'tollgate.db');
});
afterEach(() => folder.remove());

function write(text: string): void {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`PRAGMA journal_mode = WAL; ${text}`);
  sqlite.close();
}

test.each([
  ['the first migration', VERSION_ONE],
  ['both migrations', VERSION_ONE + ADDED_LATER],
])('a file of version 1 with %s keeps its keys and the counters of their quotas', async (_, text) => {
  write(text);
  for (let start = 1; start <= 2; start++) {
    const database = await openSqliteDatabase(file);
    const registry = new Registry(database);
    expect(await registry.findCredential('hash-b')).toMatchObject({ keyId: 'key_b', plan: 'free' });
    expect((await registry.listKeys({ search: 'OLD' }, { limit: 5 })).items).toHaveLength(2);
    expect(await registry.seedPlans([], { actor: 'system', reason: null, at: 1 })).toBe(false);
    await database.close();
    const counters = await openCounters(join(folder.path, 'counters.db'));
    expect(counters.sqlite.prepare('SELECT quota_id, day_used FROM quotas').all()).toEqual([
      { quota_id: 'key_a', day_used: 30 },
    ]);
    counters.close();
  }
});

/** Version 1 refuses a file whose user_version is above 2: "was written by a newer Tollgate (schema 1000, …)". */
test.each([
  ['new', ''],
  ['of version 1', VERSION_ONE],
])('after this version has opened a file, version 1 refuses it because of its user_version: %s', async (_, text) => {
  if (text !== '') write(text);
  for (let start = 1; start <= 2; start++) {
    await (await openSqliteDatabase(file)).close();
    using sqlite = new DatabaseSync(file);
    expect(sqlite.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1000 });
  }
});

test('rotation chains are preserved', async () => {
  write(VERSION_ONE + ADDED_LATER);
  const database = await openSqliteDatabase(file);
  const registry = new Registry(database);
  await registry.updateKey('key_b', { status: 'revoked' }, { actor: 'admin', reason: null, at: 7 });
  expect(await registry.getKey('key_a')).toMatchObject({ status: 'revoked' });
  await database.close();
});

test('a migration interrupted after copying the quotas starts over and preserves later counts', async () => {
  write(VERSION_ONE);
  const counters = await openCounters(join(folder.path, 'counters.db'));
  counters.sqlite.exec(
    `INSERT INTO quotas VALUES ('key_a', 8, 7, 4, 0, 7, 31, 0, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0)`,
  );
  counters.close();
  await (await openSqliteDatabase(file)).close();
  const after = await openCounters(join(folder.path, 'counters.db'));
  expect(after.sqlite.prepare('SELECT day_used FROM quotas').all()).toEqual([{ day_used: 31 }]);
  after.close();
});
