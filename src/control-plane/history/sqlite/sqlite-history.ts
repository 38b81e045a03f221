import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../../base/error-types.ts';
import {
  addClientErrorColumns,
  createHistoryTables,
  createRepeatedRefusals,
  FILL_VIOLATION_DAYS,
  violationDayTables,
  violationTables,
} from '../../../storage/history-tables.ts';
import {
  type LockWait,
  NO_WAIT,
  explainSqliteError,
  openSqliteFile,
  type SqliteFile,
} from '../../../storage/sqlite-file.ts';
import type { Chunk, Deleted, HistoryStore, RefusalRecord, RepeatedRefusal } from '../store/history-store.ts';
import { ReportedHistory } from '../reports/reported-history.ts';
import { deleteKeys, deleteOwner, forgetUnused, type Retention, Pruner } from '../store/retention.ts';
import { attachRecords, addMergeFunction, SqliteNames, SqliteStatements, SqliteWriter } from './sqlite-write.ts';
import { SqliteReports } from './sqlite-reports.ts';

/**
 * The steps that create the tables. In a file at `user_version` n, the first n steps have been executed. Never edit a
 * released step.
 *
 * Older versions refuse a file with more steps than they know. So if older versions can ignore a new table or column,
 * do not add a step: create the table or column wherever it is missing.
 */
const MIGRATION_STEPS = [createHistoryTables, addClientErrorColumns] as const;

export interface SqliteHistoryOptions {
  readonly file: string;
  /** The database of keys. Reports look up the owner and plan of each key there. */
  readonly recordsFile: string;
  readonly keep: Retention;
  readonly wait?: LockWait;
}

/**
 * Opens the history in its own file. Calls to the history block the thread.
 *
 * @throws StartError if the file cannot be used
 */
export async function openSqliteHistory({
  file,
  recordsFile,
  keep,
  wait = NO_WAIT,
}: SqliteHistoryOptions): Promise<HistoryStore> {
  const sqliteFile = await openHistoryFile(file, wait, (sqlite) => attachRecords(sqlite, recordsFile));
  return new SqliteHistory(sqliteFile, new SqliteReports(file, recordsFile), keep);
}

/** @param prepare additional work before the file counts as opened */
export function openHistoryFile(
  file: string,
  wait: LockWait,
  prepare?: (sqlite: DatabaseSync) => void,
): Promise<SqliteFile> {
  return openSqliteFile(file, {
    wait,
    prepare(sqlite) {
      prepareTables(sqlite, file);
      prepare?.(sqlite);
    },
  });
}

function prepareTables(sqlite: DatabaseSync, file: string): void {
  const version = Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > MIGRATION_STEPS.length) {
    throw new StartError(`${file} was written by a newer version of Tollgate (schema ${version}): use that version`);
  }
  const missingStatements = MIGRATION_STEPS.slice(version).flatMap((statements) => statements('sqlite'));
  if (missingStatements.length > 0) {
    sqlite.exec(`BEGIN; ${missingStatements.join(';')}; PRAGMA user_version = ${MIGRATION_STEPS.length}; COMMIT`);
  }
  sqlite.exec([...createRepeatedRefusals('sqlite'), ...violationTables('sqlite')].join(';'));
  if (sqlite.prepare("SELECT name FROM sqlite_schema WHERE name = 'violation_days'").get() === undefined) {
    sqlite.exec(['BEGIN', ...violationDayTables('sqlite'), FILL_VIOLATION_DAYS, 'COMMIT'].join(';'));
  }
  addMergeFunction(sqlite);
}

class SqliteHistory extends ReportedHistory implements HistoryStore {
  readonly #file: SqliteFile;
  readonly #keep: Retention;
  readonly #reports: SqliteReports;
  readonly #names: SqliteNames;
  readonly #write: SqliteWriter;
  readonly #pruner: Pruner;
  readonly #statements: SqliteStatements;

  constructor(file: SqliteFile, reports: SqliteReports, keep: Retention) {
    super(reports, keep);
    this.#file = file;
    this.#keep = keep;
    this.#reports = reports;
    this.#names = new SqliteNames(file.sqlite);
    this.#write = new SqliteWriter(file.sqlite, this.#names);
    this.#statements = new SqliteStatements(file.sqlite);
    this.#pruner = new Pruner(this.#statements, keep);
  }

  async write(chunk: Chunk): Promise<void> {
    this.#runTransaction(() => this.#write.add(chunk));
  }

  async keepRefusals(refusals: readonly RefusalRecord[], repeated: readonly RepeatedRefusal[] = []): Promise<void> {
    this.#runTransaction(() => this.#write.keepRefusals(refusals, repeated));
  }

  forgetUnused(keyIds: readonly string[], now: number): Promise<string[]> {
    return forgetUnused(this.#statements, keyIds, now - this.#keep.days);
  }

  deleteOwner(owner: string): Promise<Deleted> {
    return deleteOwner(this.#statements, owner);
  }

  deleteKeys(keyIds: readonly string[]): Promise<number> {
    return deleteKeys(this.#statements, keyIds);
  }

  prune(now: number): Promise<number> {
    return this.#pruner.prune(now);
  }

  async close(): Promise<void> {
    this.#reports.close();
    this.#file.close();
  }

  #runTransaction(work: () => void): void {
    const { sqlite } = this.#file;
    try {
      sqlite.exec('BEGIN IMMEDIATE');
      work();
      sqlite.exec('COMMIT');
    } catch (error) {
      this.#names.forget();
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      throw explainSqliteError(error);
    }
  }
}
