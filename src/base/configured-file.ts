import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a text file that the configuration names. A reload reads every file again, and would wait for the end of a pipe
 * or a device while nothing is served. So pipes and devices are refused.
 *
 * @throws Error of the file system, or `NotAFile`
 */
export function readConfiguredFile(path: string): string {
  const stats = statSync(path);
  // A folder needs no check, because `readFileSync` refuses it.
  if (!stats.isFile() && !stats.isDirectory()) throw new NotAFile();
  return readFileSync(path, 'utf8');
}

class NotAFile extends Error {
  readonly code = 'NOT_A_FILE';

  constructor() {
    super('it is a pipe or a device, not a file');
  }
}
