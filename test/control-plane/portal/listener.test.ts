/** The portal's listener sends these headers and files to every client, signed in or not. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';

let portal: Portal;
let cookie = '';
beforeAll(async () => {
  portal = await startPortal();
  ({ cookie } = await portal.signInAs(await portal.account('acme')));
});
afterAll(() => portal.stop());

const send = (path: string, init: RequestInit = {}) =>
  fetch(portal.gateway.portalUrl + path, { redirect: 'manual', ...init });

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

test.each([
  ['the page', '/', 200],
  ['public information', '/api/site', 200],
  ['a path without a session', '/api/keys', 401],
  ['an unknown path', '/nothing', 401],
  ['a path of the admin listener', '/metrics', 401],
  ['a path of the public listener', '/_gateway/usage', 401],
])('the response for %s is not cached and does not reveal the server software', async (_, path, status) => {
  const response = await send(path);
  expect(response.status).toBe(status);
  expect((await send(path, { method: 'HEAD' })).status).toBe(status);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({ ...COMMON_HEADERS, 'cache-control': 'no-store' });
  for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin', 'etag']) {
    expect(headers).not.toHaveProperty(name);
  }
  await response.text();
});

test('responses in a session and responses to changes are not cached', async () => {
  const responses = [
    await send('/api/keys', { headers: { cookie } }),
    await send('/api/reference', { headers: { cookie } }),
    await send('/api/keys', {
      method: 'POST',
      headers: { cookie, origin: portal.gateway.portalUrl, 'content-type': 'application/json' },
      body: '{"name":"Shop"}',
    }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 201]);
  for (const { headers } of responses) {
    expect(Object.fromEntries(headers)).toMatchObject({ ...COMMON_HEADERS, 'cache-control': 'no-store' });
  }
});

test('the page of the portal runs only its own files and cannot be framed', async () => {
  const { headers } = await send('/');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for/,
  );
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('files with a hash in their name can be cached for a long time', async () => {
  const page = await (await send('/')).text();
  const [, script = ''] = /src="\.?(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const { headers } = await send(script);
  expect(headers.get('cache-control')).toContain('immutable');
  expect(Object.fromEntries(headers)).toMatchObject(COMMON_HEADERS);
});

test('pages of other origins cannot call the portal, because their preflights are rejected', async () => {
  const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  const response = await send('/api/try', { method: 'OPTIONS', headers: { ...preflight, cookie } });
  expect(response.ok).toBe(false);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

// HAProxy and nginx keep connections for a minute. They once sent requests on connections that the gateway was closing.
test('idle connections to the portal are kept open longer than proxies keep them', async () => {
  const { headers } = await send('/api/site');
  expect(headers.get('keep-alive')).toBe('timeout=75');
});
