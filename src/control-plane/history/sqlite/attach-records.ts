import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Makes the table of keys readable from a connection to the history. */
export function attachRecords(sqlite: DatabaseSync, recordsFile: string): void {
  sqlite.prepare('ATTACH ? AS records').run(`${pathToFileURL(recordsFile).href}?mode=ro`);
}
