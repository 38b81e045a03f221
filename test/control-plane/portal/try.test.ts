/**
 * "Try it" sends calls through the real request path, with a key whose secret is not stored. It must reach only
 * documented operations, pass on no cookie in either direction, and be charged like any other call.
 */
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { TryItConnections } from '../../../src/data-plane/credentials/try-it-connections.ts';
import { createMakeCall, MAX_RESPONSE_BYTES } from '../../../src/control-plane/portal/try/make-call.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { petstore } from '../../support/gateway/gateway.ts';
import { startPortal, type Portal, type PortalBrowser } from '../../support/gateway/portal.ts';
import { listening, serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { MALFORMED_PATH_ENDINGS } from '../../support/malformed-paths.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PAGE = '<!doctype html><script>alert(document.cookie)</script>';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let service: HttpService;
let portal: Portal;
let browser: PortalBrowser;
let keyId: string;
let secret: string;
let seen: Seen[] = [];
/** Functions that complete the delayed responses. */
const held: (() => void)[] = [];

beforeAll(async () => {
  service = await serveHttp(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    const { method = '', url = '', headers } = req;
    seen.push({ method, url, headers: headers as Record<string, string>, body });
    if (url.startsWith('/page')) res.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    else if (url === '/large') res.end(`a${'ä'.repeat(MAX_RESPONSE_BYTES)}`);
    else if (url === '/bytes') res.end(Buffer.from([0, 255, 1]));
    else if (url === '/cut') res.writeHead(200, { 'Content-Length': 10 }).write('begun', () => res.destroy());
    else if (url === '/held') held.push(() => res.end('at last'));
    else {
      res.setHeader('Set-Cookie', ['session=theirs; Path=/', 'other=1']);
      res.setHeader('X-Repeated', ['a', 'b']);
      res.end('seen');
    }
  });
  portal = await startPortal({ settings: settingsFor(service.url) });
  browser = await portal.signInAs(await portal.account('acme'));
  ({ id: keyId, key: secret } = (await browser.post('/api/keys', { name: 'Mine' })).body);
});
afterAll(async () => {
  await portal.stop();
  await service.close();
});
afterEach(() => {
  seen = [];
});

function settingsFor(target: string) {
  const folder = temporaryDirectory();
  const operation = { responses: { '200': { description: 'as asked' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'A service', version: '1.0.0' },
    paths: {
      '/echo/{id}': { get: operation, post: operation },
      '/rows/{id}': { delete: operation },
      ...Object.fromEntries(['/page', '/large', '/bytes', '/cut', '/held'].map((path) => [path, { get: operation }])),
    },
  };
  writeFileSync(join(folder, 'service.json'), JSON.stringify(document));
  const plans = [{ id: 'free', name: 'Free', limits: { minute: 100, day: 1000 } }];
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans }));
  return {
    plans: join(folder, 'plans.yaml'),
    upstreams: [petstore, { name: 'service', openapi: join(folder, 'service.json'), targets: [target] }],
    portal: { apiUrl: 'https://api.example.com/' },
  };
}

const tryIt = (method: string, path: string, more: object = {}) =>
  browser.post('/api/try', { keyId, method, path, ...more });
const used = async () => (await browser.get('/api/usage')).body.items[0].windows[0].used as number;

test('a “Try it” call is charged, counted and logged like any other, and the service sees the caller', async () => {
  const before = await used();
  const response = await tryIt('POST', '/echo/1?a=b', {
    headers: { 'Content-Type': 'application/json', 'X-Mine': 'yes' },
    body: '{"name":"Räx"}',
  });
  expect(response).toMatchObject({ status: 200, body: { status: 200, body: 'seen', truncated: false } });
  expect(response.body.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-request-id': response.body.requestId });
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/echo/1?a=b',
      body: '{"name":"Räx"}',
      headers: {
        host: expect.any(String),
        'x-mine': 'yes',
        'x-consumer-id': 'acme',
        'x-credential-id': keyId,
        'x-forwarded-host': 'api.example.com',
        'x-forwarded-for': '127.0.0.1',
      },
    },
  ]);
  expect(await used()).toBe(before + 1);
  const line = portal.gateway.responses().find(({ requestId }) => requestId === response.body.requestId);
  expect(line).toMatchObject({ keyId, status: 200 });
});

test.each([
  ['GET', '/echo/1'],
  ['DELETE', '/rows/1'],
])('the body of a “Try it” call %s %s is not processed as a separate request', async (method, path) => {
  const before = await used();
  const body = 'GET /echo/2 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n';
  expect(await tryIt(method, path, { body })).toMatchObject({ status: 200, body: { status: 200 } });
  expect(await used()).toBe(before + 1);
  expect(seen).toMatchObject([{ method, url: path, body }]);
});

test('a “Try it” call neither sends nor returns cookies, and its repeated response headers are joined', async () => {
  const { body } = await tryIt('GET', '/echo/1');
  expect(seen[0]?.headers).not.toHaveProperty('cookie');
  expect(body.headers).not.toHaveProperty('set-cookie');
  expect(body.headers['x-repeated']).toBe('a, b');
});

test('a “Try it” call sends Authorization to the service, unless it contains another key of the gateway', async () => {
  const own = await tryIt('GET', '/echo/1', { headers: { Authorization: 'Bearer of-the-service' } });
  expect(own).toMatchObject({ status: 200, body: { status: 200 } });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer of-the-service' });
  const key = await tryIt('GET', '/echo/1', { headers: { Authorization: `Bearer ${portal.gateway.demoKey}` } });
  expect(JSON.parse(key.body.body)).toMatchObject({ code: 'key_ambiguous', status: 400 });
  expect(seen).toHaveLength(1);
});

test.each([
  'x-api-key',
  'Cookie',
  'Host',
  'Connection',
  'Upgrade',
  'Expect',
  'Transfer-Encoding',
  'Content-Length',
  'X-Forwarded-For',
  'Forwarded',
  'Proxy-Authorization',
  'TE',
])('a “Try it” call cannot set the header %s', async (name) => {
  const response = await tryIt('GET', '/echo/1', { headers: { [name]: '1' } });
  expectError(response, 400, 'validation_failed', `/headers/${name}`);
  expect(seen).toEqual([]);
});

test.each([
  ['GET', '/nothing'],
  ['DELETE', '/echo/1'],
  ['GET', '/echo/1/2'],
  ['GET', '/echo/'],
  ['GET', '/_gateway/nothing'],
  ['POST', '/_gateway/usage'],
  ['GET', '/v1/keys'],
  ['GET', '/livez'],
  ['OPTIONS', '/page'],
])('a “Try it” call to %s %s, which is not documented, is neither sent nor charged', async (method, path) => {
  const before = await used();
  expectError(await tryIt(method, path), 404, 'route_not_found');
  expect(seen).toEqual([]);
  expect(await used()).toBe(before);
});

test.each([
  ...MALFORMED_PATH_ENDINGS.map(([what, ending]) => [what, `/echo${ending}`]),
  ['a double slash at the start', '//evil.example/page'],
  ['another host', 'http://evil.example/'],
  ['a missing slash', 'echo/1'],
  ['a line break', '/echo/1 HTTP/1.1\r\nX-Evil: 1'],
  ['a character beyond ASCII', '/päge'],
])('a “Try it” call to a path with %s is rejected as on the public listener', async (_, path) => {
  for (const target of [path, `${path}?a=b`]) {
    expectError(await tryIt('GET', target), 400, 'invalid_path');
    expect(seen).toEqual([]);
  }
});

test.each(['/page?a#b', '/page?ä', '/page? HTTP/1.1\r\nX-Evil: 1'])(
  'a “Try it” call to %j is rejected because of its query',
  async (path) => {
    expectError(await tryIt('GET', path), 400, 'validation_failed', '/path');
    expect(seen).toEqual([]);
  },
);

test.each([{ 'X-A': 'a\r\nX-Evil: 1' }, { 'X-A: 1\r\nX-Evil': 'b' }, { '': 'a' }, { 'X-Ä': 'a' }])(
  'a “Try it” call with the headers %j is rejected',
  async (headers) => {
    expect((await tryIt('GET', '/page', { headers })).body.code).toBe('validation_failed');
    expect(seen).toEqual([]);
  },
);

test('a “Try it” call returns HTML of the service as text in JSON, so that browsers do not run it', async () => {
  const response = await tryIt('GET', '/page');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.body).toMatchObject({ body: PAGE, bodyEncoding: 'utf8', headers: { 'content-type': 'text/html' } });
});

test('a “Try it” call returns binary data in base64, and truncates a long response between characters', async () => {
  expect((await tryIt('GET', '/bytes')).body).toMatchObject({ body: 'AP8B', bodyEncoding: 'base64' });
  const { body } = await tryIt('GET', '/large');
  expect(body).toMatchObject({ status: 200, truncated: true, bodyEncoding: 'utf8' });
  expect(body.body).toBe(`a${'ä'.repeat(MAX_RESPONSE_BYTES / 2 - 1)}`);
});

test('a “Try it” call returns an interrupted response as far as it arrived', async () => {
  expect((await tryIt('GET', '/cut')).body).toMatchObject({ status: 200, body: 'begun', truncated: true });
});

test('a “Try it” call can go to /_gateway, and a refusal is returned as its response', async () => {
  const usage = (await tryIt('GET', '/_gateway/usage')).body;
  expect(JSON.parse(usage.body)).toMatchObject({ plan: 'free' });
  const other = (await browser.post('/api/keys', { name: 'Gone' })).body;
  await browser.post(`/api/keys/${other.id}/revoke`, {});
  const refused = await browser.post('/api/try', { keyId: other.id, method: 'GET', path: '/page' });
  expect(refused).toMatchObject({ status: 200, body: { status: 401 } });
  expect(JSON.parse(refused.body.body)).toMatchObject({ code: 'key_revoked' });
});

test('a “Try it” call can be made in the session of a key', async () => {
  const byKey = await portal.signInWith(secret);
  const response = await byKey.post('/api/try', { keyId, method: 'GET', path: '/pets' });
  expect(response).toMatchObject({ status: 200, body: { status: 200, bodyEncoding: 'utf8' } });
});

test('a session can run four “Try it” calls at a time, and further ones when these have ended', async () => {
  const running = Array.from({ length: 4 }, () => tryIt('GET', '/held'));
  while (held.length < running.length) await new Promise((resolve) => setTimeout(resolve, 5));
  expectError(await tryIt('GET', '/page'), 429, 'too_many_calls');
  for (const release of held) release();
  for (const { body } of await Promise.all(running)) expect(body).toMatchObject({ status: 200, body: 'at last' });
  expect((await tryIt('GET', '/page')).status).toBe(200);
});

// A request from the network must not be able to replace a key with a header.
test('no request from the network is accepted as a “Try it” call', async () => {
  const response = await portal.gateway.call('/page', { key: null, headers: { 'X-Vouched-Key': keyId } });
  expect(response.status).toBe(401);
});

test('a “Try it” call that takes longer than its time limit is aborted, and its connection is closed', async () => {
  const closed: boolean[] = [];
  const { server, close } = await listening(
    createServer((req, res) => {
      res.once('close', () => closed.push(res.writableFinished));
      if (req.url === '/begun') res.write('begun');
    }),
  );
  const makeCall = createMakeCall({
    server,
    tryItConnections: new TryItConnections(),
    apiUrl: () => 'http://localhost',
    timeoutMs: 50,
  });
  const call = { keyHash: '', address: '127.0.0.1', method: 'GET', headers: {}, body: null };
  await expect(makeCall({ ...call, path: '/never' })).rejects.toMatchObject({ code: 'upstream_timeout' });
  await expect(makeCall({ ...call, path: '/begun' })).resolves.toMatchObject({ body: 'begun', truncated: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toEqual([false, false]);
  await close();
  await expect(makeCall({ ...call, path: '/never' })).rejects.toMatchObject({ code: 'shutting_down' });
});
