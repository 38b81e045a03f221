import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAccess } from '../../src/cli/admin-access.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
  mkdirSync(join(folder.path, 'data'));
});
afterEach(() => folder.remove());

const find = (env: Record<string, string>) => findAccess(env, folder.path);
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

test('beside a gateway with an embedded database nothing has to be set', () => {
  write('data/admin-token', 'of-the-gateway\n');
  expect(find({})).toEqual({
    url: 'http://127.0.0.1:8081',
    token: 'of-the-gateway',
    tokenFrom: join(folder.path, 'data/admin-token'),
  });
});

test('the token is that of the environment, else of the file named there, else of the data directory', () => {
  write('data/admin-token', 'default');
  write('named', 'named\r\n');
  mkdirSync(join(folder.path, 'other'));
  write('other/admin-token', 'other');
  const env = { TOLLGATE_ADMIN_TOKEN: 'given', TOLLGATE_ADMIN_TOKEN_FILE: 'named', TOLLGATE_DATA_DIR: 'other' };
  expect(find(env)).toMatchObject({ token: 'given', tokenFrom: 'TOLLGATE_ADMIN_TOKEN' });
  expect(find({ ...env, TOLLGATE_ADMIN_TOKEN: '' }).token).toBe('named');
  expect(find({ TOLLGATE_DATA_DIR: 'other' }).token).toBe('other');
  expect(find({}).token).toBe('default');
});

test('the URL may have a path, and a slash at its end', () => {
  const TOLLGATE_ADMIN_TOKEN = 'given';
  const urlOf = (TOLLGATE_ADMIN_URL: string) => find({ TOLLGATE_ADMIN_TOKEN, TOLLGATE_ADMIN_URL }).url;
  expect(urlOf('https://ops.example.com/tollgate/')).toBe('https://ops.example.com/tollgate');
  for (const wrong of ['localhost:8081', 'ftp://a', 'http://me:secret@a', 'http://a?b', 'http://a#b', '/v1']) {
    expect(() => urlOf(wrong)).toThrow('TOLLGATE_ADMIN_URL must be an http:// or https:// URL');
  }
});

test.each([
  [{}, /^there is no admin token: .*data\/admin-token does not exist\. .*"tollgate start".* set TOLLGATE_ADMIN_TOKEN/],
  [{ TOLLGATE_ADMIN_TOKEN_FILE: 'none' }, /^TOLLGATE_ADMIN_TOKEN_FILE names .*none, which cannot be read \(ENOENT\)/],
  [{ TOLLGATE_ADMIN_TOKEN_FILE: 'empty' }, /empty holds no admin token/],
  [{ TOLLGATE_ADMIN_TOKEN: 'two words' }, /^TOLLGATE_ADMIN_TOKEN holds no admin token/],
])('with %j it is told what is missing', (env, message) => {
  write('empty', '\n');
  expect(() => find(env)).toThrow(message);
});
