/**
 * Everyone who still calls an operation that will be removed must notice its brownouts and its sunset, and the history
 * must show who called. The 410 of a sunset was once sent before authentication, so the caller was unknown.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { sendRaw } from '../../support/raw.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const SUNSET = Date.UTC(2027, 11, 31);
const FIRST = { from: Date.UTC(2027, 10, 2, 10), to: Date.UTC(2027, 10, 2, 11) };
const SECOND_ONE = { from: Date.UTC(2027, 11, 1, 10), to: Date.UTC(2027, 11, 1, 14) };
const QUIET = Date.UTC(2027, 9, 1);
const LINK = '<https://example.com/why>; rel="deprecation", </echo?id=7>; rel="successor-version"';

const iso = (time: number) => new Date(time).toISOString();
const ending = {
  deprecated: true,
  'x-deprecated-at': '2026-11-01',
  'x-sunset': '2027-12-31',
  'x-successor': '/echo?id={id}',
  'x-deprecation-link': 'https://example.com/why',
  'x-brownouts': [FIRST, SECOND_ONE].map(({ from, to }) => ({ from: iso(from), to: iso(to) })),
  responses: { 200: { description: 'What was seen' } },
};
const paths = {
  '/echo': { get: { operationId: 'getEcho', responses: ending.responses } },
  '/echo/{id}': { get: { operationId: 'getEchoById', ...ending } },
  '/public/{id}': { get: { operationId: 'getPublic', security: [], ...ending } },
};

let now = QUIET;
let gateway: TestGateway;
let serving: TestGateway;
beforeAll(async () => {
  const openapi = join(temporaryDirectory(), 'api.yaml');
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'Ending', version: '1' }, paths }));
  const upstreams = [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }];
  const start = (afterSunset: string) => startTestGateway({ settings: { upstreams, afterSunset }, clock: () => now });
  gateway = await start('gone');
  serving = await start('serve');
});
afterAll(() => Promise.all([gateway.stop(), serving.stop()]));
beforeEach(() => {
  now = QUIET;
});

const readUsed = async () => {
  const { windows } = (await (await gateway.call('/_gateway/usage')).json()) as { windows: { used: number }[] };
  return windows.map(({ used }) => used);
};

test('a brownout starts and ends to the millisecond, and the response says when it ends', async () => {
  const statuses = [];
  for (const time of [FIRST.from - 1, FIRST.from, FIRST.to - 1, FIRST.to, SECOND_ONE.from, SECOND_ONE.to]) {
    now = time;
    const response = await gateway.call('/echo/7');
    statuses.push([response.status, response.headers.get('retry-after')]);
  }
  expect(statuses).toEqual([
    [200, null],
    [410, String(HOUR / SECOND)],
    [410, '1'],
    [200, null],
    [410, String((4 * HOUR) / SECOND)],
    [200, null],
  ]);
});

test('the response names the successor and the end of the brownout, and is neither cacheable nor charged', async () => {
  now = FIRST.from;
  const before = await readUsed();
  const response = await gateway.call('/echo/7');
  expect(await response.json()).toEqual({
    code: 'operation_brownout',
    message:
      'The operation is temporarily switched off because it will be removed. The Link header names its successor, if there is one.',
    status: 410,
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    deprecation: `@${Date.UTC(2026, 10) / SECOND}`,
    sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
    link: LINK,
    'x-ratelimit-limit': '60',
  });
  expect(await readUsed()).toEqual(before);
  expect(gateway.responses().at(-2)).toMatchObject({
    operation: 'getEchoById',
    reason: 'operation_brownout',
    keyId: expect.stringMatching(/^key_/),
  });
  expect((await gateway.call('/echo')).status).toBe(200);
});

test.each([
  ['a brownout', FIRST.from, 'operation_brownout'],
  ['a sunset', SUNSET, 'operation_sunset'],
])('%s is visible only to callers with a valid key', async (_, time, code) => {
  now = time;
  const stranger = await gateway.call('/echo/7', { key: null });
  expect([stranger.status, stranger.headers.get('link')]).toEqual([401, LINK]);
  const known = await gateway.call('/echo/7');
  expect([known.status, await known.json()]).toEqual([410, expect.objectContaining({ code })]);
  expect(gateway.responses().at(-1)).toMatchObject({ reason: code, keyId: expect.stringMatching(/^key_/) });
});

test.each([
  ['a brownout', FIRST.from, 'operation_brownout'],
  ['a sunset', SUNSET, 'operation_sunset'],
])('during %s, a public operation responds to everyone without charging the address', async (_, time, code) => {
  now = time;
  for (let call = 0; call < 70; call++) {
    const response = await gateway.call('/public/7', { key: null });
    expect([response.status, await response.json()]).toEqual([410, expect.objectContaining({ code })]);
  }
  now = QUIET;
  const served = await gateway.call('/public/7', { key: null });
  expect(Number(served.headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(58);
});

test('a WebSocket handshake is refused like any other request', async () => {
  now = FIRST.from;
  const handshake = (key: string) =>
    sendRaw(
      gateway.url,
      `GET /echo/7 HTTP/1.1\r\nHost: a\r\n${key}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
  const refused = await handshake(`X-API-Key: ${gateway.demoKey}\r\n`);
  expect(refused).toMatch(/^HTTP\/1\.1 410 Gone\r\n/);
  expect(refused).toMatch(/\r\nRetry-After: 3600\r\n/);
  expect(refused).toContain('"code":"operation_brownout"');
  expect(await handshake('')).toMatch(/^HTTP\/1\.1 401 /);
});

test('with afterSunset: serve, an operation is served after its sunset, and logged once', async () => {
  now = SUNSET;
  expect((await serving.call('/echo/7')).status).toBe(200);
  expect((await serving.call('/echo/7')).status).toBe(200);
  expect(serving.logs.filter((line) => line.includes('called after its sunset'))).toHaveLength(1);
});

test('the document for consumers lists the brownouts', async () => {
  const document = (await (await gateway.call('/_gateway/openapi.json')).json()) as {
    paths: Record<string, { get: { responses: Record<string, { description: string }> } }>;
  };
  expect(document.paths['/echo/{id}']?.get.responses['410']?.description).toBe(
    '`operation_brownout`: The operation is temporarily switched off because it will be removed. The Link header names its successor, if there is one.\n\n' +
      '- from 2027-11-02T10:00:00.000Z to 2027-11-02T11:00:00.000Z\n' +
      '- from 2027-12-01T10:00:00.000Z to 2027-12-01T14:00:00.000Z',
  );
  expect(document.paths['/echo']?.get.responses['410']).toBeUndefined();
});
