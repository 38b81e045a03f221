import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';
import { takeLock } from './lock.ts';
import { makePrivate } from './private-file.ts';
import { migrations } from './schema.ts';

/** The embedded database: one file, one process. */
export interface EmbeddedDatabase {
  readonly sqlite: DatabaseSync;
  close(): void;
}

/**
 * Opens the embedded database, creating the file and its folder where they do not exist. Only their owner may read them.
 *
 * @param waitMs how long to wait for another process that holds it, such as one that is draining
 * @throws StartError if the file cannot be used: unwritable, corrupt, newer than this program, or held
 */
export async function openEmbedded(file: string, waitMs: number): Promise<EmbeddedDatabase> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const unlock = await takeLock(file, waitMs);
    try {
      const sqlite = openAndMigrate(file);
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

function openAndMigrate(file: string): DatabaseSync {
  makePrivate(file);
  const sqlite = new DatabaseSync(file);
  try {
    // A committed transaction survives a kill -9 of the process, and not for certain a power cut.
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    migrate(sqlite, file);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function migrate(sqlite: DatabaseSync, file: string): void {
  const done = Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
  if (done > migrations.length) {
    throw new StartError(
      `database ${file} was written by a newer Tollgate (schema ${done}, this one knows ${migrations.length}): ` +
        'start the newer version, or point TOLLGATE_STORE to another file',
    );
  }
  for (const [index, step] of migrations.entries()) {
    if (index < done) continue;
    sqlite.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

const NOT_A_DATABASE = 26;
const CORRUPT = 11;

function readable(file: string, error: unknown): unknown {
  // Errors of the runtime need not be of this realm's Error class.
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
