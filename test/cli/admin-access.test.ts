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

test('without any settings, the token comes from the data directory below the working directory', () => {
  write('data/admin-token', 'of-the-gateway\n');
  expect(find({})).toEqual({
    url: 'http://127.0.0.1:8081',
    token: 'of-the-gateway',
    tokenFrom: join(folder.path, 'data/admin-token'),
  });
});

test('the token comes from TOLLGATE_ADMIN_TOKEN, then TOLLGATE_ADMIN_TOKEN_FILE, then the data directory', () => {
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

test('without a URL, the gateway on this machine is called at its port', () => {
  const TOLLGATE_ADMIN_TOKEN = 'given';
  expect(find({ TOLLGATE_ADMIN_TOKEN }).url).toBe('http://127.0.0.1:8081');
  expect(find({ TOLLGATE_ADMIN_TOKEN, TOLLGATE_ADMIN_PORT: '9001' }).url).toBe('http://127.0.0.1:9001');
  const TOLLGATE_ADMIN_URL = 'https://ops.example.com';
  expect(find({ TOLLGATE_ADMIN_TOKEN, TOLLGATE_ADMIN_PORT: '9001', TOLLGATE_ADMIN_URL }).url).toBe(TOLLGATE_ADMIN_URL);
});

test('the URL may have a path and a trailing slash', () => {
  const TOLLGATE_ADMIN_TOKEN = 'given';
  const findUrl = (TOLLGATE_ADMIN_URL: string) => find({ TOLLGATE_ADMIN_TOKEN, TOLLGATE_ADMIN_URL }).url;
  expect(findUrl('https://ops.example.com/tollgate/')).toBe('https://ops.example.com/tollgate');
  for (const wrong of ['localhost:8081', 'ftp://a', 'http://me:secret@a', 'http://a?b', 'http://a#b', '/v1']) {
    expect(() => findUrl(wrong)).toThrow('TOLLGATE_ADMIN_URL must be an http:// or https:// URL');
  }
});

test.each([
  [{}, /^no admin token found: .*data\/admin-token does not exist\n.*"tollgate start".*\n.* set TOLLGATE_ADMIN_TOKEN/],
  [{ TOLLGATE_ADMIN_TOKEN_FILE: 'none' }, /^cannot read .*none, named by TOLLGATE_ADMIN_TOKEN_FILE \(ENOENT\)/],
  [{ TOLLGATE_ADMIN_TOKEN_FILE: 'empty' }, /empty does not hold an admin token/],
  [{ TOLLGATE_ADMIN_TOKEN: 'two words' }, /^TOLLGATE_ADMIN_TOKEN does not hold an admin token/],
])('if the environment %j yields no token, the error says what is missing', (env, message) => {
  write('empty', '\n');
  expect(() => find(env)).toThrow(message);
});
