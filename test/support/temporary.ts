import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const made: string[] = [];
afterAll(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));

/** Creates a directory that is removed at the end of the test file. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-'));
  made.push(path);
  return path;
}
