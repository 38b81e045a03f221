import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import type { Database, DatabaseLocation } from '../../../src/storage/database.ts';
import { openDatabase } from '../../../src/storage/open.ts';
import type { HistoryStore } from '../../../src/control-plane/history/store/history-store.ts';
import { PostgresHistory } from '../../../src/control-plane/history/postgres/postgres-history.ts';
import { openSqliteHistory } from '../../../src/control-plane/history/sqlite/sqlite-history.ts';
import type { Retention } from '../../../src/control-plane/history/store/retention.ts';
import { type PostgresDatabases, query } from '../servers/postgres-databases.ts';
import { tempFolder } from '../temp-folder.ts';

export const keep: Retention = { minutes: 48 * 3_600_000, hours: 90 * 86_400_000, days: 730 * 86_400_000 };
export const logger = pino({ level: 'silent' });

/** A database for the history of a test. */
export interface HistoryDatabase {
  /** The database with keys and plans. */
  readonly records: Database;
  readonly location: DatabaseLocation;
  readonly dataDir: string;
  readonly historyFile: string;
  /** Opens a history store in the database, without a worker. With PostgreSQL, several can be open at once. */
  open(): Promise<HistoryStore>;
  /** Queries the tables directly. */
  rows(text: string): Promise<Record<string, unknown>[]>;
  dispose(): Promise<void>;
}

export async function sqliteHistoryDatabase(): Promise<HistoryDatabase> {
  const folder = tempFolder();
  const location = { kind: 'sqlite', file: join(folder.path, 'tollgate.db') } as const;
  const historyFile = join(folder.path, 'history.db');
  const records = await openDatabase(location, logger);
  return {
    records,
    location,
    dataDir: folder.path,
    historyFile,
    open: () =>
      openSqliteHistory({ file: historyFile, recordsFile: location.file, keep, wait: { limitMs: 1000, onWait() {} } }),
    async rows(text) {
      using sqlite = new DatabaseSync(historyFile, { timeout: 60_000 });
      return sqlite.prepare(text).all();
    },
    async dispose() {
      await records.close();
      folder.remove();
    },
  };
}

export async function postgresHistoryDatabase(postgres: PostgresDatabases): Promise<HistoryDatabase> {
  const folder = tempFolder();
  const location = { kind: 'postgres', url: await postgres.borrowDatabase() } as const;
  const records = await openDatabase(location, logger);
  return {
    records,
    location,
    dataDir: folder.path,
    historyFile: join(folder.path, 'history.db'),
    open: async () => new PostgresHistory(location.url, keep),
    rows: (text) => query(location.url, text),
    async dispose() {
      await records.close();
      await postgres.releaseDatabase(location.url);
      folder.remove();
    },
  };
}
