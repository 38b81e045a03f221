import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { PetStoreStartError } from '../http/errors.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import type { Logger } from '../http/operation.ts';

/** `normal` survives a killed process. `full` also survives a power failure, at the cost of an fsync per write. */
export type Durability = 'normal' | 'full';

/**
 * How long to wait for another process that has the database open. That process may be shutting down, because this
 * process replaces it.
 */
const WAIT_LIMIT_MS = 10_000;
const RETRY_MS = 50;

interface DatabaseOptions {
  durability: Durability;
  logger: Pick<Logger, 'warn'>;
  waitLimitMs?: number;
}

/**
 * Opens the database, and creates or migrates it as needed. Throws PetStoreStartError if the database cannot be used.
 *
 * The process then has exclusive access, because a file lock for every read would cost more than the rest of the read. If
 * another process has access, this is logged, and this process waits. It does not wait inside SQLite, because that would
 * block the log and the handling of signals.
 */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<DatabaseSync> {
  const { durability, logger, waitLimitMs = WAIT_LIMIT_MS } = options;
  const deadline = performance.now() + waitLimitMs;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return openUnlocked(file, durability);
    } catch (error) {
      // Make at least two attempts: on a busy machine, the first one alone may take longer than the limit.
      if (!isLocked(error) || (hasWaited && performance.now() >= deadline)) throw toStartError(file, error);
      if (!hasWaited) logger.warn({ reason: formatWaitMessage(file, waitLimitMs) }, 'waiting for a locked database');
    }
    await sleep(RETRY_MS);
  }
}

/** Throws SQLite's error if another process has the database open. */
function openUnlocked(file: string, durability: Durability): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    restrictFileModes(file);
    db = new DatabaseSync(file, { timeout: 0 });
    // This must come first: a database that has used WAL with shared memory stays shared.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    checkFile(db, file);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability.toUpperCase()}; PRAGMA foreign_keys = ON`);
    migrate(db);
    writeFileSync(`${file}.lock`, describeProcess(), { mode: 0o600 });
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw error;
  }
}

function describeProcess(): string {
  return `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`;
}

function formatWaitMessage(file: string, limitMs: number): string {
  return (
    `${file} is locked by another process${describeLastUser(file)}: waiting up to ${Math.ceil(limitMs / 1000)} s until it has ` +
    'stopped; if it is meant to go on, name another file'
  );
}

/**
 * Describes the process that holds a locked database. The database itself cannot be read, so the pet store writes its
 * name to a file next to it. Other programs do not write this file.
 */
function describeLastUser(file: string): string {
  try {
    return ` (the pet store that opened it last is ${readFileSync(`${file}.lock`, 'utf8')})`;
  } catch {
    return '';
  }
}

/** Makes the database readable only by its owner. SQLite creates the files next to it with the same mode. */
function restrictFileModes(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)) {
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      // EPERM: another user's file, or a volume without modes. That is the operator's responsibility.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'EPERM'].includes(code)) throw error;
    }
  }
}

export interface Select<Row> {
  get: (...values: SQLInputValue[]) => Row | undefined;
  all: (...values: SQLInputValue[]) => Row[];
}

/**
 * Prepares a statement that returns rows. Integers are BigInt, and NULL is null. `toRow` creates the object of a row from
 * an array of its columns, because the row objects of node:sqlite cost several times as much to create and to read.
 */
export function prepareSelect<Row>(db: DatabaseSync, sql: string, toRow: (columnsRow: never) => Row): Select<Row> {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the SQL and the schema know what the columns are
  const columnStatement = statement as unknown as Select<never>;
  return {
    get(...values) {
      const columnsRow = columnStatement.get(...values);
      return columnsRow && toRow(columnsRow);
    },
    all: (...values) => columnStatement.all(...values).map(toRow),
  };
}

/** Prepares a statement that returns no rows. */
export function prepareCommand(db: DatabaseSync, sql: string): (...values: SQLInputValue[]) => void {
  const statement = db.prepare(sql);
  // The result of `run` includes the last id, and that may not fit a float.
  statement.setReadBigInts(true);
  return (...values) => void statement.run(...values);
}

/** Prepares a statement, for callers that only need to know whether it finds a row. */
export function prepareExists(db: DatabaseSync, sql: string): (...values: SQLInputValue[]) => boolean {
  const statement = db.prepare(sql);
  return (...values) => statement.get(...values) !== undefined;
}

/** Runs `work` in a transaction, which is rolled back if `work` throws. `work` must not be async. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite rolls back by itself after some errors, such as a full disk.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function checkFile(db: DatabaseSync, file: string): void {
  const version = readPragma(db, 'user_version');
  const hasTables = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  if (hasTables && readPragma(db, 'application_id') !== APPLICATION_ID) {
    throw new PetStoreStartError(`${file} is a database of another program: name another file`);
  }
  if (version > MIGRATIONS.length) {
    throw new PetStoreStartError(
      `${file} was written by a newer version (its schema is ${version}, this version knows ${MIGRATIONS.length}): ` +
        'upgrade, or name another file',
    );
  }
  const check = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (check !== 'ok') throw createDamagedError(file, String(check).split('\n', 1)[0]!);
}

/** Migrates the schema. The version is read inside the transaction, because another process may be migrating too. */
function migrate(db: DatabaseSync): void {
  inTransaction(db, () => {
    for (const step of MIGRATIONS.slice(readPragma(db, 'user_version'))) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

function readPragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function readCode(error: unknown): number {
  const { errcode = 0 }: { errcode?: number } = Object(error);
  return errcode & 0xff;
}

function isLocked(error: unknown): boolean {
  return readCode(error) === SQLITE_BUSY;
}

function toStartError(file: string, error: unknown): PetStoreStartError {
  if (error instanceof PetStoreStartError) return error;
  const { message = '' }: { message?: string } = Object(error);
  const reason = message.split('\n', 1)[0]!;
  if (isLocked(error)) {
    return new PetStoreStartError(`${file} is locked by another process${describeLastUser(file)}: stop that one first`);
  }
  const code = readCode(error);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return createDamagedError(file, reason);
  return new PetStoreStartError(`${file} cannot be opened (${reason}): check the path, its permissions and the disk`);
}

function createDamagedError(file: string, reason: string): PetStoreStartError {
  return new PetStoreStartError(
    `${file} is damaged (${reason}): restore a backup, or move it out of the way to start with an empty database`,
  );
}
