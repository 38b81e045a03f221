import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readStaticFiles } from '../../../../src/control-plane/api-server/static-files.ts';
import { compressFiles } from '../../../../scripts/web/compress.ts';
import { startAdmin, type Admin } from '../../../support/gateway/admin.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const SCRIPT = 'export const text = "the console";'.repeat(100);
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

const folder = tempFolder();
let admin: Admin;
beforeAll(async () => {
  mkdirSync(join(folder.path, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder.path, 'secret.txt'), 'beside the console');
  writeFileSync(join(folder.path, 'dist/index.html'), '<!doctype html><title>Tollgate</title>');
  writeFileSync(join(folder.path, 'dist/assets/index-B4x_k-9Z.js'), SCRIPT);
  writeFileSync(join(folder.path, 'dist/favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await compressFiles(join(folder.path, 'dist'));
  admin = await startAdmin({ console: await readStaticFiles(join(folder.path, 'dist')) });
});
afterAll(async () => {
  await admin.stop();
  folder.remove();
});

/** Sends the target and headers unchanged, because `fetch` would normalize them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(admin.url);
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const call = request({ hostname, port, path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on('error', reject).end();
  });
}

test('the page of the console may load only its own files, and cannot be framed (clickjacking)', async () => {
  const { status, headers, body } = await get('/console/');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(String(body)).toBe('<!doctype html><title>Tollgate</title>');
});

test('a file with a hash in its name can be cached indefinitely, and other files are not cached', async () => {
  const script = await get('/console/assets/index-B4x_k-9Z.js');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': POLICY,
    vary: 'Accept-Encoding',
  });
  expect(String(script.body)).toBe(SCRIPT);
  const icon = await get('/console/favicon.svg');
  expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-store' });
});

test('files are compressed for clients that accept it', async () => {
  const path = '/console/assets/index-B4x_k-9Z.js';
  const brotli = await get(path, { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(brotli.body.length) });
  expect(String(brotliDecompressSync(brotli.body))).toBe(SCRIPT);
  const { headers, body } = await get(path, { 'Accept-Encoding': 'gzip, deflate' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
  expect(String(gunzipSync(body))).toBe(SCRIPT);
  expect((await get(path, { 'Accept-Encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  const head = await get(path, { 'Accept-Encoding': 'gzip' }, 'HEAD');
  expect(head.headers['content-length']).toBe(String(body.length));
  expect(head.body).toHaveLength(0);
});

// A proxy may serve the gateway below a path that the gateway does not know, so the redirect is relative.
test('the root path redirects to the console', async () => {
  for (const path of ['/', '/console', '/?a=b']) {
    const { status, headers } = await get(path);
    expect([path, status, headers['location']]).toEqual([path, 303, 'console/']);
    expect(headers['content-security-policy']).toBe(POLICY);
  }
});

describe('a request for anything but a file of the console gets 401', () => {
  test.each([
    '/console/../secret.txt',
    '/console/..%2fsecret.txt',
    '/console/%2e%2e/secret.txt',
    '/console//etc/passwd',
    '/console/index.html/',
    '/console/assets/',
    '/console/assets',
    '/console/constructor',
    '/console/assets/index-B4x_k-9Z.js.br',
    '/Console/',
    '//console/',
  ])('at %s', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(401);
    expect(JSON.parse(String(body))).toMatchObject({ code: 'unauthorized' });
  });

  test('or with a method other than GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get('/console/', {}, method)).status).toBe(401);
  });
});

test('pages of other origins cannot load responses of the API, and browsers do not guess their type', async () => {
  const { headers } = await admin.get('/v1/keys');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
});

test('a console that was not built is not served', async () => {
  expect(await readStaticFiles(join(folder.path, 'nowhere'))).toBeNull();
  expect(await readStaticFiles(join(folder.path, 'dist/assets'))).toBeNull();
});
