import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { resolveAdminToken, resolveAdminTokens } from '../../../src/control-plane/admin/access/admin-tokens.ts';
import { StartError } from '../../../src/base/error-types.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const resolve = () => resolveAdminToken({ fromEnvironment: null, dataDir: folder.path });
const file = () => join(folder.path, 'admin-token');

test('the admin token in the environment takes precedence, and no file is written', () => {
  expect(resolveAdminToken({ fromEnvironment: 'given', dataDir: folder.path })).toBe('given');
  expect(() => statSync(file())).toThrow('ENOENT');
});

test('the first start creates an admin token that only the owner of its file can read, and later starts keep it', () => {
  const token = resolve();
  expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(readFileSync(file(), 'utf8')).toBe(`${token}\n`);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(resolve()).toBe(token);
});

test('an admin token in a file is accepted with any line ending', () => {
  const chosen = 'chosen-by-hand-and-long-enough-all-the-same';
  writeFileSync(file(), `${chosen}\r\n`);
  expect(resolve()).toBe(chosen);
});

test.each([
  ['empty', ''],
  ['blank', ' \n'],
  ['with two lines', `${'a'.repeat(32)}\nb\n`],
  ['guessable', 'admin\n'],
])('an admin token file that is invalid (%s) prevents the start', (_, text) => {
  writeFileSync(file(), text);
  expect(resolve).toThrow(StartError);
  expect(resolve).toThrow(/admin-token.*TOLLGATE_ADMIN_TOKEN/);
});

test('an admin token file that cannot be read or written is reported in one line', () => {
  mkdirSync(file());
  expect(resolve).toThrow(StartError);
  expect(resolve).toThrow(/cannot read the admin token .*set TOLLGATE_ADMIN_TOKEN$/);
  const absent = () => resolveAdminToken({ fromEnvironment: null, dataDir: join(folder.path, 'absent') });
  expect(absent).toThrow(StartError);
  expect(absent).toThrow(/cannot write the admin token .*set TOLLGATE_ADMIN_TOKEN$/);
});

test('named tokens are accepted beside the admin token, and must differ from it', () => {
  const settings = { fromEnvironment: null, dataDir: folder.path };
  const board = { name: 'board', role: 'viewer', token: 'secret-of-the-board' } as const;
  const secret = resolve();
  const shop = { name: 'shop', role: 'publisher', upstream: 'shop', token: 'secret-of-the-shop' } as const;
  expect(resolveAdminTokens(settings, [board, shop])).toEqual([
    { name: 'admin', role: 'admin', secret },
    { name: 'board', role: 'viewer', secret: board.token },
    { name: 'shop', role: 'publisher', upstream: 'shop', secret: shop.token },
  ]);
  const same = () => resolveAdminTokens(settings, [{ ...board, token: secret }]);
  expect(same).toThrow(
    new StartError('the token of board in adminTokens is the same as the admin token: give each its own'),
  );
});
