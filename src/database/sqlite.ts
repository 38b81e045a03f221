import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store-unavailable.ts';
import { Announcements } from './announcements.ts';
import type { Database } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { migrate } from './migrations.ts';
import { openSqliteFile } from './sqlite-file.ts';
import { kyselyOver } from './sqlite-kysely.ts';
import { adoptVersionOne } from './version-one.ts';

/** Primary result codes that say the file can't be used now: busy, locked, no memory, read-only, I/O, corrupt, full. */
const OUT_OF_ORDER = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** The records in a file. This is the only process that uses it, and so hears of every change. */
export interface SqliteDatabase extends Database {
  readonly sqlite: DatabaseSync;
}

/**
 * @param file its absolute path
 * @param waitMs how long to wait for another process that holds it, such as one that is draining
 * @throws StartError if the file cannot be used
 */
export async function openSqliteDatabase(file: string, waitMs: number): Promise<SqliteDatabase> {
  const opened = await openSqliteFile(file, {
    waitMs,
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
    read: (work) => explained(() => work(kysely)),
    lookUp: (work) => explained(() => work(kysely)),
    async transaction(work) {
      const messages: string[] = [];
      const result = await explained(() =>
        kysely.transaction().execute((tx) => work(tx, (message) => messages.push(message))),
      );
      announcements.tell(messages);
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
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined || !OUT_OF_ORDER.has(errcode & 0xff)) throw error;
    throw new StoreUnavailable('the database file cannot be used', { cause: error });
  }
}
