import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;
/** What SQLite keeps beside a database; it makes them with the mode of the database itself. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Makes a database file, where there is none, and lets nobody but its owner read it or what SQLite keeps beside it.
 *
 * @throws what the file system says where the file cannot be made
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const path of [file, ...COMPANIONS.map((suffix) => file + suffix)]) restrict(path);
}

function restrict(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    // EPERM: another user's file, or a volume that has no modes; whoever set that up decides.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'EPERM'].includes(code)) throw error;
  }
}
