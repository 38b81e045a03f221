import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../admission/store.ts';
import { RegistryError } from './registry.ts';

const CONSTRAINT_UNIQUE = 2067;

/** Primary result codes that say the file can't be used now: busy, locked, no memory, read-only, I/O, corrupt, full. */
const OUT_OF_ORDER = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** All of the work or nothing of it. */
export function transact<T>(sqlite: DatabaseSync, work: () => T): T {
  return speakingOurErrors(() => {
    sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      // Some failures, such as a full disk, have rolled back already.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      throw error;
    }
  });
}

/** Runs work on the database, whose errors come as the port promises them. */
export function speakingOurErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (errcode === CONSTRAINT_UNIQUE) {
      throw new RegistryError('conflict', 'a key with this id or secret exists already: make a new one');
    }
    if (errcode !== undefined && OUT_OF_ORDER.has(errcode & 0xff)) {
      throw new StoreUnavailable('the embedded database cannot be used', { cause: error });
    }
    throw error;
  }
}
