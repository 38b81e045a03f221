import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/make-folder.ts';
import { StartError } from '../../base/error-types.ts';
import { type LockWait, takeLock } from './lock.ts';
import { makePrivate } from './private-file.ts';

/** A SQLite file that only this process uses. */
export interface SqliteFile {
  readonly sqlite: DatabaseSync;
  close(): void;
}

export interface SqliteFileOptions {
  readonly wait: LockWait;
  /** Called when no other process uses the file any more, before it is made or opened. */
  readonly check?: () => void;
  /** Creates or migrates its tables; its errors are explained like those of opening the file. */
  readonly prepare: (sqlite: DatabaseSync) => void | Promise<void>;
}

/**
 * Opens a database file, creating it and its folder if they do not exist. Only the owner may read them.
 *
 * @throws StartError if the file cannot be used: unwritable, corrupt, newer than this program, or held
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
    throw readable(file, error);
  }
}

async function open(file: string, prepare: SqliteFileOptions['prepare']): Promise<DatabaseSync> {
  makePrivate(file);
  const sqlite = new DatabaseSync(file);
  try {
    // A committed transaction survives a kill -9 of the process, but not necessarily a power cut.
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

function readable(file: string, error: unknown): unknown {
  // `isError`, because the runtime's errors need not be of this realm's Error class.
  if (error instanceof StartError || !Error.isError(error)) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === NOT_A_DATABASE || errcode === CORRUPT) {
    return new StartError(
      `database ${file} is corrupt (${error.message}): restore it from a backup, or move it away to start empty`,
    );
  }
  if (errcode !== undefined || code?.startsWith('E')) {
    return new StartError(
      `cannot use database ${file} (${error.message}): check that its folder exists, is writable by this user and has ` +
        'room, or set TOLLGATE_DATA_DIR to another one',
    );
  }
  return error;
}
