import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { PetStoreStartError } from './errors.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';

/** `normal` survives a killed process, `full` also a power cut, at the price of an fsync for each write. */
export type Durability = 'normal' | 'full';

/** How long a statement waits for another process's lock, in ms. */
const LOCK_TIMEOUT = 1000;

/** Opens the database, making or migrating it as needed. Throws PetStoreStartError if it can't be used. */
export function openDatabase(file: string, durability: Durability): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    db = new DatabaseSync(file, { timeout: LOCK_TIMEOUT });
    checkFile(db, file);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability.toUpperCase()}; PRAGMA foreign_keys = ON`);
    migrate(db);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw startError(file, error);
  }
}

export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): unknown;
}

/** A statement whose integers are read as BigInt. `Row` is what its columns are, null where they may be NULL. */
export function prepare<Row>(db: DatabaseSync, sql: string): Statement<Row> {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the SQL and the schema know what a row is
  return statement as unknown as Statement<Row>;
}

/** Runs `work`, which must not be async, as one transaction: all of it or, if it throws, nothing. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some errors, a full disk for one.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function checkFile(db: DatabaseSync, file: string): void {
  const version = pragma(db, 'user_version');
  const hasTables = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  if (hasTables && pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new PetStoreStartError(`${file} is a database of another program: name another file`);
  }
  if (version > MIGRATIONS.length) {
    throw new PetStoreStartError(
      `${file} was written by a newer version (its schema is ${version}, this version knows ${MIGRATIONS.length}): ` +
        'upgrade, or name another file',
    );
  }
  const check = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (check !== 'ok') throw new Error(String(check));
}

/** Looks at the version inside the transaction: another process may be at it too. */
function migrate(db: DatabaseSync): void {
  inTransaction(db, () => {
    for (const step of MIGRATIONS.slice(pragma(db, 'user_version'))) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function startError(file: string, error: unknown): PetStoreStartError {
  if (error instanceof PetStoreStartError) return error;
  const reason = String(error instanceof Error ? error.message : error).split('\n', 1)[0];
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
  const code = (errcode ?? SQLITE_CORRUPT) & 0xff;
  if (code === SQLITE_BUSY) return new PetStoreStartError(`${file} is locked by another process: stop that one first`);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new PetStoreStartError(
      `${file} cannot be used (${reason}): restore a backup, or move it away to start anew`,
    );
  }
  return new PetStoreStartError(`${file} cannot be opened (${reason}): check the path, its permissions and the disk`);
}
