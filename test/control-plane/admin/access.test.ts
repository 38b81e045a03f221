import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError, startAdmin, TOKEN, VIEWER, type Admin } from '../../support/gateway/admin.ts';
import { MALFORMED_PATH_ENDINGS } from '../../support/malformed-paths.ts';

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

describe('without a token', () => {
  test('every method and every spelling of a path returns 401', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/keys',
      '/v1/keys/',
      '/v1/openapi.json',
      '/V1/keys',
      '/unknown',
      '//livez',
      '/livez/',
      '/LIVEZ',
      '/livez/../v1/keys',
      '/%6civez',
      '/livez%2f..%2fv1%2fkeys',
      '/v1/%2e%2e/livez',
      '/v1/keys%',
      '/v1/%ff',
      '/v1\\keys',
      '/livez#/v1/keys',
      '/livez;a=b',
      '*',
      'http://localhost/livez',
      'http://localhost/v1/keys',
      'http://[/v1/keys',
      '//[',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const { status, text } = await admin.raw(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        expect([method, path, status]).toEqual([method, path, 401]);
        expect(text).toContain('WWW-Authenticate: Bearer realm="tollgate-admin"');
        expect(text).toContain('"code":"unauthorized"');
      }
    }
  });

  test('probes accept only GET and HEAD', async () => {
    expectError(await admin.call('POST', '/livez', { token: null }), 401, 'unauthorized');
    expect((await admin.call('HEAD', '/livez?x=1', { token: null })).status).toBe(200);
  });

  test('neither the body nor the Expect header of a request is processed', async () => {
    expectError(await admin.call('POST', '/v1/keys', { raw: '{', token: null }), 401, 'unauthorized');
    const { status } = await admin.raw('GET /v1/keys HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n');
    expect(status).toBe(401);
  });
});

describe('with a token', () => {
  test('the scheme is case-insensitive, and only the exact token is accepted', async () => {
    const status = async (authorization: string) =>
      (await admin.call('GET', '/v1/keys', { token: null, headers: { Authorization: authorization } })).status;
    expect(await status(`bearer ${TOKEN}`)).toBe(200);
    for (const wrong of [
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
      'Bearer',
      'Bearer ',
    ]) {
      expect([wrong, await status(wrong)]).toEqual([wrong, 401]);
    }
    expect((await admin.call('GET', `/v1/keys?token=${TOKEN}`, { token: null })).status).toBe(401);
  });

  test('unknown paths return 404, unsupported methods 405, and paths that are not in normal form 400', async () => {
    expectError(await admin.get('/v1/unknown'), 404, 'route_not_found');
    expectError(await admin.get('/v1/keys/'), 404, 'route_not_found');
    expectError(await admin.get('/'), 404, 'route_not_found');
    const wrong = await admin.put('/v1/keys', {});
    expectError(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
    const raw = async (target: string) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
      return (await admin.raw(head)).text;
    };
    for (const target of ['http://a/v1/keys', '//v1/keys', '*']) {
      expect(await raw(target)).toContain('"code":"invalid_path"');
    }
    expect(await raw('/v1/%6beys')).toContain('200 OK');
    expect((await admin.call('HEAD', '/v1/keys')).status).toBe(200);
  });

  test.each(MALFORMED_PATH_ENDINGS)('a path with %s returns 400, whether or not it exists', async (_, ending) => {
    for (const path of ['/v1/keys', '/v1/keys/key_1', '/v1/unknown']) {
      const head = `GET ${path}${ending} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
      const { status, text } = await admin.raw(head);
      expect({ path, status, text }).toEqual({ path, status: 400, text: expect.stringContaining('"invalid_path"') });
    }
  });

  test('a viewer can only read', async () => {
    expect((await admin.call('GET', '/v1/keys', { token: VIEWER })).status).toBe(200);
    const json = { name: 'a', owner: 'a', plan: 'free' };
    expectError(await admin.call('POST', '/v1/keys', { token: VIEWER, json }), 403, 'forbidden');
    expectError(await admin.call('DELETE', '/v1/unknown', { token: VIEWER }), 403, 'forbidden');
  });

  test('the log names the token of each request', async () => {
    await admin.call('GET', '/v1/keys', { token: VIEWER, headers: { 'X-Request-Id': 'mine' } });
    const line = admin.logs.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'admin response');
    expect(line).toMatchObject({ requestId: 'mine', actor: 'board', operation: 'listKeys', status: 200 });
  });
});

describe('failed attempts', () => {
  test('are limited per address and never block a valid token', async () => {
    const attempt = () => admin.call('GET', '/v1/keys', { token: 'wrong' });
    for (let count = 0; count < 10; count++) expectError(await attempt(), 401, 'unauthorized');
    const refused = await attempt();
    expectError(refused, 429, 'too_many_failed_attempts');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await admin.get('/v1/keys')).status).toBe(200);
    expectError(await admin.call('GET', '/v1/keys', { token: null }), 401, 'unauthorized');
  });
});
