import type { DatabaseSync } from 'node:sqlite';
import { Announcements } from '../announcements.ts';
import type { Database } from '../database.ts';
import { sqliteDialect } from '../dialect.ts';
import { migrate } from '../migrations.ts';
import { NO_WAIT } from './lock.ts';
import { explainSqlite } from './sqlite-errors.ts';
import { openSqliteFile } from './sqlite-file.ts';
import { kyselyOver } from './sqlite-kysely.ts';
import { adoptVersionOne } from './version-one.ts';

/** The records in a file. No other process uses it, so this one sees every change. */
export interface SqliteDatabase extends Database {
  readonly sqlite: DatabaseSync;
}

/**
 * @param file its absolute path
 * @throws StartError if the file cannot be used
 */
export async function openSqliteDatabase(file: string, wait = NO_WAIT): Promise<SqliteDatabase> {
  const opened = await openSqliteFile(file, {
    wait,
    async prepare(sqlite) {
      await migrateSqlite(sqlite, file);
    },
  });
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

/** Migrates the tables of the file that is open. @returns the names of the steps that were missing */
export function migrateSqlite(sqlite: DatabaseSync, file: string): Promise<string[]> {
  adoptVersionOne(sqlite, file);
  return migrate(kyselyOver(sqlite), sqliteDialect);
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainSqlite(error);
  }
}
