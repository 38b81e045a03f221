import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Announcements } from '../announcements.ts';
import type { Database } from '../database.ts';
import { sqliteDialect } from '../dialect.ts';
import { migrate } from '../migrations.ts';
import { type LockWait, NO_WAIT } from './lock.ts';
import { refuseLostFile, refuseLostTables } from './lost-records.ts';
import { explainSqlite } from './sqlite-errors.ts';
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import { kyselyOver } from './sqlite-kysely.ts';
import { adoptVersionOne } from './version-one.ts';

/** The records in a file. No other process uses it, so this one sees every change. */
export interface SqliteDatabase extends Database {
  readonly sqlite: DatabaseSync;
}

export interface SqliteOptions {
  readonly wait?: LockWait | undefined;
  /** Where the files of counters and history are; by default, in the same folder. */
  readonly dataDir?: string | undefined;
}

/**
 * @param file its absolute path
 * @throws StartError if the file cannot be used, or records were lost
 */
export async function openSqliteDatabase(file: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  const { opened } = await openMigrated(file, options);
  const { sqlite } = opened;
  const kysely = kyselyOver(sqlite);
  const announcements = new Announcements();
  return {
    sqlite,
    dialect: sqliteDialect,
    state: () => 'up',
    failure: () => null,
    read: (work) => explained(() => work(kysely)),
    lookUp: (work) => explained(() => work(kysely)),
    async transaction(work) {
      const messages: string[] = [];
      const result = await explained(() =>
        kysely.transaction().execute((tx) => work(tx, (message) => messages.push(message))),
      );
      announcements.notify(messages);
      return result;
    },
    onChange: (listener) => announcements.add(listener),
    async close() {
      opened.close();
    },
  };
}

/**
 * Opens the file and migrates its tables.
 *
 * @returns also the names of the steps that were missing
 * @throws StartError if the file cannot be used, or records were lost
 */
export async function openMigrated(
  file: string,
  { wait = NO_WAIT, dataDir = dirname(file) }: SqliteOptions = {},
): Promise<{ opened: SqliteFile; steps: string[] }> {
  let steps: string[] = [];
  const opened = await openSqliteFile(file, {
    wait,
    check: () => refuseLostFile(file, dataDir),
    async prepare(sqlite) {
      refuseLostTables(sqlite, file, dataDir);
      adoptVersionOne(sqlite, file);
      steps = await migrate(kyselyOver(sqlite), sqliteDialect);
      // On the disk before there are counters: otherwise a power cut might leave those, and look like lost records.
      if (steps.length > 0) sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  });
  return { opened, steps };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainSqlite(error);
  }
}
