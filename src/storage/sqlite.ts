import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Announcements, type Database } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { type MigrationResult, migrate } from './migrations.ts';
import { type LockWait, NO_WAIT, explainSqliteError, openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import { refuseLostFile, refuseLostTables } from './lost-records.ts';
import { migrateFromVersion1, refuseVersion1 } from './migrate-from-version-1.ts';
import type { Tables } from './tables.ts';

/** The records in a SQLite file. No other process uses the file, so every change is made by this process. */
export interface SqliteDatabase extends Database {
  readonly sqlite: DatabaseSync;
  /** The names of additive migration steps of a newer version. */
  readonly newerSteps: readonly string[];
}

export interface SqliteOptions {
  readonly wait?: LockWait | undefined;
  /** The folder of counters and history; by default, the folder of the file. */
  readonly dataDir?: string | undefined;
}

/**
 * @param file the absolute path of the file
 * @throws StartError if the file cannot be used, or records were lost
 */
export async function openSqliteDatabase(file: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  const { opened, migrated } = await openMigrated(file, options);
  const { sqlite } = opened;
  const kysely = createKysely(sqlite);
  const announcements = new Announcements();
  return {
    sqlite,
    newerSteps: migrated.newer,
    dialect: sqliteDialect,
    state: () => 'up',
    failure: () => null,
    read: (work) => withExplainedErrors(() => work(kysely)),
    lookUp: (work) => withExplainedErrors(() => work(kysely)),
    async transaction(work) {
      const messages: string[] = [];
      const result = await withExplainedErrors(() =>
        kysely.transaction().execute((tx) => work(tx, (message) => messages.push(message))),
      );
      announcements.notify(messages);
      return result;
    },
    onChange: (listener) => announcements.add(listener),
    heardUntil: () => Infinity,
    async close() {
      opened.close();
    },
  };
}

/**
 * Opens the file and migrates its tables.
 *
 * @throws StartError if the file cannot be used, or records were lost
 */
export async function openMigrated(
  file: string,
  { wait = NO_WAIT, dataDir = dirname(file) }: SqliteOptions = {},
): Promise<{ opened: SqliteFile; migrated: MigrationResult }> {
  let migrated: MigrationResult = { applied: [], newer: [] };
  const opened = await openSqliteFile(file, {
    wait,
    check: () => refuseLostFile(file, dataDir),
    async prepare(sqlite) {
      refuseLostTables(sqlite, file, dataDir);
      migrateFromVersion1(sqlite, file);
      migrated = await migrate(createKysely(sqlite), sqliteDialect);
      refuseVersion1(sqlite);
      // Write the tables to disk before the counters exist. Otherwise, a power failure might leave only the counters,
      // and the records would seem to be lost.
      if (migrated.applied.length > 0) sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  });
  return { opened, migrated };
}

async function withExplainedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainSqliteError(error);
  }
}

/**
 * Maximum number of cached statements. The gateway has fewer different queries, apart from inserts of varying numbers
 * of rows.
 */
const MAX_STATEMENTS = 200;

/** Creates a Kysely instance on `node:sqlite`. Destroying it does not close the database: the caller does that. */
function createKysely(sqlite: DatabaseSync): Kysely<Tables> {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  const prepare = (text: string): SqliteStatement => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = text === 'rollback' ? prepareRollback(sqlite) : adaptStatement(sqlite.prepare(text));
      statements.set(text, statement);
    }
    return statement;
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close() {} } }) });
}

/**
 * Prepares a ROLLBACK that does nothing without a transaction. After some failures, such as a full disk, SQLite has
 * already rolled back. Another rollback would fail, and its error would hide the first.
 */
function prepareRollback(sqlite: DatabaseSync): SqliteStatement {
  const noChanges = { changes: 0, lastInsertRowid: 0 };
  const statement = adaptStatement(sqlite.prepare('ROLLBACK'));
  return { ...statement, run: () => (sqlite.isTransaction ? statement.run([]) : noChanges) };
}

/** Adapts a `node:sqlite` statement to the interface that Kysely expects. */
function adaptStatement(statement: StatementSync): SqliteStatement {
  const toInputValues = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toInputValues(parameters)),
    run: (parameters) => statement.run(...toInputValues(parameters)),
    iterate: (parameters) => statement.iterate(...toInputValues(parameters)),
  };
}
