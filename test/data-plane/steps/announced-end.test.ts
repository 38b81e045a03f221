/** Responses to a key rotated with `graceUntil: quiet` say when it ends, and its owner sees where it is still used. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { dereferenced } from '../../../src/openapi/pointer.ts';
import { type Portal, startPortal } from '../../support/gateway/portal.ts';
import { until } from '../../support/until.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const LATEST_END = 'Wed, 15 Jul 2026 12:00:00 GMT';
const ORIGIN = 'https://app.example.com';

let now = Date.UTC(2026, 5, 15, 12);
let service: HttpService;
let portal: Portal;
beforeAll(async () => {
  // The service sends the gateway's header too, which must not reach consumers.
  service = await serveHttp((req, res) => {
    if (req.url === '/stream') res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
    else res.writeHead(200, { 'X-Key-Expires': 'forged' }).end('{}');
  });
  const openapi = join(temporaryDirectory(), 'api.yaml');
  const responses = { 200: { description: 'Fine' } };
  const paths = {
    '/a': { get: { operationId: 'getA', responses } },
    '/stream': { get: { operationId: 'getStream', responses } },
  };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }));
  portal = await startPortal({
    clock: () => now,
    lastUsesFlushMs: 100,
    settings: {
      demo: false,
      upstreams: [{ name: 'a', openapi, targets: [service.url] }],
      trustedProxies: ['127.0.0.1'],
      cors: { origins: [ORIGIN] },
      portal: { requestablePlans: [] },
    },
  });
});
afterAll(async () => {
  await portal.stop();
  await service.close();
});

async function rotate(body: object = { graceUntil: 'quiet' }) {
  const old = await portal.admin('POST', '/v1/keys', { name: 'a', owner: 'acme', plan: 'free' });
  return { old, fresh: await portal.admin('POST', `/v1/keys/${old.id}/rotate`, body) };
}

const readEnd = async (key: string, path = '/a', init: RequestInit = {}) =>
  (await portal.gateway.call(path, { key, ...init })).headers.get('X-Key-Expires');

test('every response to the old key has its deadline in X-Key-Expires, and no other response has the header', async () => {
  const { old, fresh } = await rotate();
  for (const path of ['/a', '/none', '/_gateway/usage', '/_gateway/none']) {
    expect([path, await readEnd(old.key, path)]).toEqual([path, LATEST_END]);
    expect([path, await readEnd(fresh.key, path)]).toEqual([path, null]);
  }
  expect(await readEnd(old.key, '/a', { method: 'PUT' })).toBe(LATEST_END);
  for (let calls = 0; calls < 60; calls++) await readEnd(old.key);
  const refused = await portal.gateway.call('/a', { key: old.key });
  expect([refused.status, refused.headers.get('X-Key-Expires')]).toEqual([429, LATEST_END]);
  const ordinary = await rotate({ graceSeconds: 3600 });
  expect(await readEnd(ordinary.old.key)).toBeNull();
});

test('scripts of allowed origins can read X-Key-Expires', async () => {
  const { old } = await rotate();
  const { headers } = await portal.gateway.call('/a', { key: old.key, headers: { Origin: ORIGIN } });
  expect(headers.get('Access-Control-Expose-Headers')).toMatch(/(^|, )X-Key-Expires(,|$)/);
});

test('the OpenAPI document for consumers has X-Key-Expires on every response', async () => {
  const { old } = await rotate();
  const document = (await (await portal.gateway.call('/_gateway/openapi.json', { key: old.key })).json()) as {
    paths: Record<string, { get: { responses: object } }>;
    components: { headers: object };
  };
  expect(document.components.headers).toHaveProperty('X-Key-Expires.description');
  for (const path of ['/a', '/_gateway/usage']) {
    const responses = Object.values(document.paths[path]!.get.responses);
    expect(responses.length).toBeGreaterThan(3);
    for (const response of responses) expect(dereferenced(document, response)).toHaveProperty('headers.X-Key-Expires');
  }
});

test('X-Key-Expires follows a change of the expiry, and is absent if the key is disabled or the address not allowed', async () => {
  const { old, fresh } = await rotate();
  expect(await readEnd(old.key)).toBe(LATEST_END);
  await portal.admin('PATCH', `/v1/keys/${old.id}`, { expiresAt: '2026-06-20T00:00:00Z' });
  expect(await readEnd(old.key)).toBe('Sat, 20 Jun 2026 00:00:00 GMT');
  await portal.admin('PATCH', `/v1/keys/${fresh.id}`, { addresses: ['198.51.100.0/24'] });
  const elsewhere = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
  expect(await readEnd(old.key, '/a', elsewhere)).toBeNull();
  expect(await readEnd(old.key, '/a', { headers: { 'X-Forwarded-For': '198.51.100.7' } })).not.toBeNull();
  await portal.admin('PATCH', `/v1/keys/${old.id}`, { status: 'disabled' });
  expect(await readEnd(old.key)).toBeNull();
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:198.51.100.9', '198.51.100.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
])('for a caller at %s, only the network %s is stored', async (address, network) => {
  const { old } = await rotate();
  now += 60_000;
  expect(await readEnd(old.key, '/a', { headers: { 'X-Forwarded-For': address } })).not.toBeNull();
  const read = async () => (await portal.admin('GET', `/v1/keys/${old.id}`)).grace.lastUsedFrom;
  await until(async () => (await read()) !== null);
  expect(await read()).toBe(network);
  now -= 60_000;
});

test('an event stream that stays open counts as a use of the key', async () => {
  const { old } = await rotate();
  const aborting = new AbortController();
  const stream = await portal.gateway.call('/stream', { key: old.key, signal: aborting.signal });
  expect([stream.status, stream.headers.get('X-Key-Expires')]).toEqual([200, LATEST_END]);
  const usedAt = async () => Date.parse((await portal.admin('GET', `/v1/keys/${old.id}`)).lastUsedAt ?? 0);
  // Wait until the request that opened the stream is recorded.
  await until(async () => (await usedAt()) > 0);
  now += 3_600_000;
  // Uses are recorded to the minute.
  await until(async () => (await usedAt()) >= now - 60_000);
  aborting.abort();
  now -= 3_600_000;
});

test('the owner can rotate a key in the portal until it is quiet, and sees where the old secret is still used', async () => {
  const owner = await portal.signInAs(await portal.account('owner'));
  const old = (await owner.post('/api/keys', { name: 'Shop' })).body;
  expect(old.grace).toBeNull();
  const fresh = await owner.post(`/api/keys/${old.id}/rotate`, { graceUntil: 'quiet' });
  expect([fresh.status, fresh.body.grace]).toEqual([201, null]);
  now += 60_000;
  // A call from the portal counts as a use, but has no network.
  expect((await owner.post('/api/try', { keyId: old.id, method: 'GET', path: '/a' })).status).toBe(200);
  const listed = async () =>
    (await owner.get('/api/keys')).body.items.find(({ id }: { readonly id: string }) => id === old.id);
  await until(async () => (await listed()).lastUsedAt !== null && (await listed()).grace.callsLastDay === 1);
  expect(await listed()).toMatchObject({
    expiresAt: '2026-07-15T12:00:00.000Z',
    grace: { until: 'quiet', since: '2026-06-15T12:00:00.000Z', lastUsedFrom: null, callsLastDay: 1 },
  });
  await readEnd(old.key, '/a', { headers: { 'X-Forwarded-For': '203.0.113.77' } });
  await until(async () => (await listed()).grace.lastUsedFrom === '203.0.113.0/24');
  const both = await owner.post(`/api/keys/${fresh.body.id}/rotate`, { graceUntil: 'quiet', graceSeconds: 0 });
  expect([both.status, both.body.details[0].path]).toEqual([400, '/graceUntil']);
});
