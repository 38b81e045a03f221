import { chmodSync, closeSync, openSync, mkdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError, StoreUnavailable } from '../base/error-types.ts';

/** A SQLite file that only this process uses. */
export interface SqliteFile {
  readonly sqlite: DatabaseSync;
  close(): void;
}

interface SqliteFileOptions {
  readonly wait: LockWait;
  /** Called when the lock is held, before the file is created or opened. */
  readonly check?: () => void;
  /** Creates or migrates the tables. Its errors are handled like errors of opening the file. */
  readonly prepare: (sqlite: DatabaseSync) => void | Promise<void>;
}

/**
 * Opens a database file. If it does not exist, creates it and its folder, readable only by the owner.
 *
 * @throws StartError if the file cannot be used: unwritable, corrupt, newer than this program, or in use
 */
export async function openSqliteFile(file: string, { wait, check, prepare }: SqliteFileOptions): Promise<SqliteFile> {
  try {
    makeFolder(dirname(file));
    const unlock = await takeLock(file, wait);
    try {
      check?.();
      const sqlite = await open(file, prepare);
      return {
        sqlite,
        close() {
          sqlite.close();
          unlock();
        },
      };
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw toReadableError(file, error);
  }
}

async function open(file: string, prepare: SqliteFileOptions['prepare']): Promise<DatabaseSync> {
  makePrivate(file);
  const sqlite = new DatabaseSync(file);
  try {
    // With these settings, a committed transaction survives `kill -9`, but not necessarily a power failure.
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    await prepare(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const NOT_A_DATABASE = 26;
const CORRUPT = 11;

function toReadableError(file: string, error: unknown): unknown {
  // Use `isError`, because errors of the runtime may come from another realm with its own Error class.
  if (error instanceof StartError || !Error.isError(error)) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === NOT_A_DATABASE || errcode === CORRUPT) {
    return new StartError(
      `database ${file} is corrupt (${error.message}): restore it from a backup, or move it out of the way to start with an empty database`,
    );
  }
  if (errcode !== undefined || code?.startsWith('E')) {
    return new StartError(
      `cannot use database ${file} (${error.message}): check that its directory exists, is writable by this user and has ` +
        'free space, or set TOLLGATE_DATA_DIR to another directory',
    );
  }
  return error;
}

const BUSY = 5;
const RETRY_MS = 50;

/** How to wait for a file that another process uses, such as a draining gateway. */
export interface LockWait {
  readonly limitMs: number;
  /** Called once before waiting, with a message for the log. */
  readonly onWait: (message: string) => void;
}

export const NO_WAIT: LockWait = { limitMs: 0, onWait() {} };

/**
 * Takes the lock that makes this the only process that uses `file`. The lock is an open write transaction on a small
 * database next to the file. It ends when the process dies, however that happens, and other processes can read who
 * holds it.
 *
 * @returns a function that releases the lock
 * @throws StartError naming the holder
 */
export async function takeLock(file: string, { limitMs, onWait }: LockWait): Promise<() => void> {
  makePrivate(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    const deadline = performance.now() + limitMs;
    for (let isWaiting = false; !tryLock(lock); isWaiting = true) {
      if (performance.now() >= deadline) throw new StartError(formatHeldMessage(lock, file, limitMs));
      if (!isWaiting) onWait(formatWaitMessage(lock, file, limitMs));
      await sleep(RETRY_MS);
    }
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN IMMEDIATE');
    lock.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT); DELETE FROM holder');
    lock.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString());
    // Commit the name of the holder so that other processes can read it. Then take the lock again.
    lock.exec('COMMIT; BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (lock.isTransaction) lock.exec('ROLLBACK');
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}

function formatWaitMessage(lock: DatabaseSync, file: string, limitMs: number): string {
  return (
    `database ${file} is in use by ${findHolder(lock)}: waiting up to ${formatSeconds(limitMs)} for that process to ` +
    'stop. If it should keep running, set TOLLGATE_DATA_DIR of this gateway to another directory'
  );
}

function formatHeldMessage(lock: DatabaseSync, file: string, limitMs: number): string {
  const after = limitMs === 0 ? '' : `, even after ${formatSeconds(limitMs)}`;
  return (
    `database ${file} is in use by ${findHolder(lock)}${after}: stop that process, or use PostgreSQL and Redis ` +
    '(TOLLGATE_DATABASE, TOLLGATE_STORE) to run several gateways'
  );
}

function formatSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function findHolder(lock: DatabaseSync): string {
  try {
    const holder = lock.prepare('SELECT pid, host, since FROM holder').get() ?? {};
    return `process ${String(holder['pid'])} on ${String(holder['host'])} since ${String(holder['since'])}`;
  } catch {
    // The holder has only just taken the lock, and has not written its name yet.
    return 'another process';
  }
}

export const OWNER_ONLY = 0o600;
/** Suffixes of the files that SQLite creates next to a database, with the same file mode. */
export const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'];

/**
 * Creates a database file if there is none. Makes it and the files that SQLite keeps next to it readable only by their
 * owner.
 *
 * @throws the file system's error if the file cannot be created
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const path of [file, ...COMPANION_SUFFIXES.map((suffix) => file + suffix)]) restrict(path);
}

function restrict(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    // EPERM means another user's file, or a volume without file modes. Leave that to the operator.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'EPERM'].includes(code)) throw error;
  }
}

/**
 * Creates a folder and its parents, readable only by the owner. The option `recursive` of `mkdir` is not used, because
 * with it `mkdir` never returns for a folder that cannot be created, such as in /proc or below an automounter.
 *
 * @throws NodeJS.ErrnoException if a folder cannot be created
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * SQLite's primary result codes for a file that cannot be used now: busy, locked, out of memory, read-only, I/O error,
 * corrupt, full, cannot open.
 */
const UNUSABLE_FILE_ERRORS = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** Translates an error of SQLite. Returns the error itself if the query caused it. */
export function explainSqliteError(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined || !UNUSABLE_FILE_ERRORS.has(errcode & 0xff)) return error;
  return new StoreUnavailable('the database file cannot be used', { cause: error });
}
