import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;
/** Files that SQLite keeps next to a database and creates with the database's own mode. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Creates a database file if there is none, and lets only its owner read it and the files SQLite keeps next to it.
 *
 * @throws the file system's error if the file cannot be created
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const path of [file, ...COMPANIONS.map((suffix) => file + suffix)]) restrict(path);
}

function restrict(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    // EPERM: another user's file, or a volume without modes. That is up to whoever set it up.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'EPERM'].includes(code)) throw error;
  }
}
