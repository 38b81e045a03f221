import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/storage/sqlite-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a missing folder is created with its parents and only its owner can read it, but an existing one is not changed', () => {
  const path = join(folder, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('700');
});

test('a folder that cannot be created is reported immediately', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  // In /proc, `mkdir` reports that the parent folder does not exist, although it does.
  expect(() => makeFolder('/proc/tollgate/data')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
