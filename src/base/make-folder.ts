import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, readable by their owner only. `mkdir` with `recursive` does the same, but it tries
 * for ever where a folder can have none that it is asked for, as in /proc or below an automounter.
 *
 * @throws NodeJS.ErrnoException if one cannot be made
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
