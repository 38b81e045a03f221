import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a text file that the configuration names. Pipes and devices are refused: a reload reads every file again, and
 * would wait for their end while nothing is served.
 *
 * @throws Error of the file system, or `NotAFile`
 */
export function readConfiguredFile(path: string): string {
  const stats = statSync(path);
  // Reading a folder fails by itself.
  if (!stats.isFile() && !stats.isDirectory()) throw new NotAFile();
  return readFileSync(path, 'utf8');
}

class NotAFile extends Error {
  readonly code = 'NOT_A_FILE';

  constructor() {
    super('it is a pipe or a device, not a file');
  }
}
