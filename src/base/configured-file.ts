import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a text file that the configuration names. Pipes and devices are refused, because a reload would read them
 * synchronously, and block all requests until they end.
 *
 * @throws Error of the file system, or `NotAFile`
 */
export function readConfiguredFile(path: string): string {
  const stats = statSync(path);
  // Folders need no check, because `readFileSync` refuses them.
  if (!stats.isFile() && !stats.isDirectory()) throw new NotAFile();
  return readFileSync(path, 'utf8');
}

class NotAFile extends Error {
  readonly code = 'NOT_A_FILE';

  constructor() {
    super('it is a pipe or a device, not a file');
  }
}
