import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { writeDocument } from '../../fuzz/subject/documents.ts';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { until } from '../../support/until.ts';
import { RawConnection } from '../../support/raw.ts';
import { createService } from '../../support/services/contract-service.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../../support/services/otlp-receiver.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** Limits that are high enough for all calls of these tests. */
const LIMITS = { minute: 60, day: 60 };

let receiver: OtlpReceiver;
let service: HttpService;
let gateway: TestGateway;
let keyId: string;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const { handler, upgrade } = createService();
  const belowBase = (req: IncomingMessage) => Object.assign(req, { url: req.url?.replace('/base', '') });
  service = await serveHttp((req, res) => handler(belowBase(req), res));
  service.server.on('upgrade', (req, socket, head) => upgrade(belowBase(req), socket, head));
  const module = {
    name: 'module',
    prefix: '/module',
    openapi: writeDocument(temporaryDirectory(), 'module', ['/echo']),
    module: join(root, 'test/support/services/contract-service.ts'),
  };
  const upstreams = [contractTarget(`${service.url}/base`), module];
  gateway = await startGatewayWithUpstreams(upstreams, {}, LIMITS, receiver.env);
  const { items } = (await (await gateway.admin('/v1/keys')).json()) as { items: { id: string }[] };
  keyId = items[0]?.id ?? '';
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
  await receiver.close();
});

const PARENT = '00f067aa0ba902b7';
let traceId: string;
let traceparent: string;
let count = 0;
beforeEach(() => {
  traceId = (++count).toString(16).padStart(32, 'a');
  traceparent = `00-${traceId}-${PARENT}-00`;
});

const call = (path: string, init: RequestInit & { key?: string | null } = {}) =>
  gateway.call(path, { ...init, headers: { traceparent, ...(init.headers as Record<string, string>) } });
const server = async () => (await receiver.trace(traceId, 1))[0]!;
/** Reads a header that the service received. */
const receivedHeader = async (response: Response, name: string) =>
  ((await response.json()) as { headers: Record<string, string> }).headers[name];

describe('a request to an HTTP upstream', () => {
  test('has a server span below its parent, and a client span below the server span', async () => {
    await call('/echo/7?secret=1', { headers: { tracestate: 'vendor=1', 'x-request-id': 'request-1' } });
    const [span, client, ...more] = await receiver.trace(traceId, 2);
    expect(more).toEqual([]);
    expect(span).toMatchObject({
      name: 'GET /echo/{id}',
      kind: 'server',
      parentSpanId: PARENT,
      isParentRemote: true,
      traceState: 'vendor=1',
      isError: false,
    });
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/echo/{id}',
      'network.protocol.version': '1.1',
      'url.path': '/echo/7',
      'url.scheme': 'http',
      'tollgate.key.id': keyId,
      'tollgate.operation': 'getEchoById',
      'tollgate.outcome': 'served',
      'tollgate.plan': 'free',
      'tollgate.request.id': 'request-1',
      'tollgate.upstream': 'contract',
    });
    expect(client).toMatchObject({
      name: 'GET /echo/{id}',
      kind: 'client',
      parentSpanId: span?.spanId,
      isParentRemote: false,
      traceState: 'vendor=1',
      isError: false,
    });
    expect(client?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'network.protocol.version': '1.1',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(service.url).port),
      'tollgate.upstream': 'contract',
      'url.full': `${service.url}/base/echo/7`,
      'url.template': '/echo/{id}',
    });
  });

  test('has spans with consistent and current times', async () => {
    await call('/echo');
    const [span, client] = await receiver.trace(traceId, 2);
    expect(client!.startMs).toBeGreaterThanOrEqual(span!.startMs);
    expect(client!.endMs).toBeGreaterThanOrEqual(client!.startMs);
    expect(span!.endMs).toBeGreaterThan(client!.startMs);
    expect(Math.abs(Date.now() - span!.endMs)).toBeLessThan(60_000);
  });

  test('sends the client span and the state to the service', async () => {
    const response = await call('/echo', { headers: { tracestate: 'vendor=1' } });
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    const [, client] = await receiver.trace(traceId, 2);
    expect(headers).toMatchObject({ traceparent: `00-${traceId}-${client?.spanId}-01`, tracestate: 'vendor=1' });
  });

  test('begins a new trace without a valid parent', async () => {
    for (const given of [{}, { traceparent: 'nonsense', tracestate: 'vendor=1' }]) {
      const response = await gateway.call('/echo', { headers: given });
      const { headers } = (await response.json()) as { headers: Record<string, string> };
      const [, own = '', sent] = headers['traceparent']?.split('-') ?? [];
      const [span, client] = await receiver.trace(own, 2);
      expect([span?.parentSpanId, client?.spanId]).toEqual(['', sent]);
      expect(headers['tracestate']).toBeUndefined();
    }
  });

  test('marks both spans as errors if the service fails, according to the semantic conventions', async () => {
    await call('/status/503');
    const [span, client] = await receiver.trace(traceId, 2);
    for (const each of [span, client]) {
      expect(each).toMatchObject({
        isError: true,
        attributes: { 'error.type': '503', 'http.response.status_code': 503 },
      });
    }
    expect(span?.attributes['tollgate.outcome']).toBe('served');
  });

  test('marks only the client span as an error if the service responds with a 4xx', async () => {
    await call('/status/404');
    const [span, client] = await receiver.trace(traceId, 2);
    expect(span).toMatchObject({ isError: false, attributes: { 'http.response.status_code': 404 } });
    expect(span?.attributes).not.toHaveProperty('error.type');
    expect(client).toMatchObject({ isError: true, attributes: { 'error.type': '404' } });
  });

  test('marks both spans as errors if the service does not respond in time', async () => {
    expect((await call('/hang/timed')).status).toBe(504);
    const [span, client] = await receiver.trace(traceId, 2);
    const failed = { isError: true, attributes: { 'error.type': 'upstream_timeout' } };
    expect([span, client]).toMatchObject([failed, failed]);
    expect(span?.attributes).toMatchObject({
      'http.response.status_code': 504,
      'tollgate.outcome': 'upstream_timeout',
    });
    expect(client?.attributes).not.toHaveProperty('http.response.status_code');
  });

  test('marks the client span as an error if the response is incomplete', async () => {
    await expect(call('/throw-later').then((response) => response.text())).rejects.toThrow();
    const [span, client] = await receiver.trace(traceId, 2);
    expect(span).toMatchObject({ attributes: { 'tollgate.outcome': 'aborted', 'http.response.status_code': 200 } });
    expect(client).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'incomplete_answer', 'http.response.status_code': 200 },
    });
  });

  test('ends its spans when its client disconnects, even without a response', async () => {
    const leaving = new AbortController();
    const response = call('/hang', { signal: leaving.signal });
    await until(async () => (await (await fetch(`${gateway.adminUrl}/metrics`)).text()).includes('_busy 1'));
    leaving.abort();
    await expect(response).rejects.toThrow();
    const [span, client] = await receiver.trace(traceId, 2);
    expect(span).toMatchObject({ isError: false, attributes: { 'tollgate.outcome': 'aborted' } });
    expect(span?.attributes).not.toHaveProperty('http.response.status_code');
    expect(client).toMatchObject({ isError: true, attributes: { 'error.type': 'cancelled' } });
  });
});

test('a request to a module has no client span, and the module gets the server span', async () => {
  const sent = await receivedHeader(await call('/module/echo'), 'traceparent');
  const [span, ...more] = await receiver.trace(traceId, 1);
  expect(span).toMatchObject({ name: 'GET /module/echo', attributes: { 'tollgate.upstream': 'module' } });
  expect(sent).toBe(`00-${traceId}-${span?.spanId}-01`);
  expect(more).toEqual([]);
});

interface Expected {
  readonly name: string;
  readonly status: number;
  readonly outcome: string;
}

describe('a refused request has a server span', () => {
  test.each<[string, string, RequestInit & { key?: string | null }, Expected]>([
    ['without a key', '/echo', { key: null }, { name: 'GET /echo', status: 401, outcome: 'key_missing' }],
    ['with an invalid key', '/echo', { key: 'tg_live_x' }, { name: 'GET /echo', status: 401, outcome: 'key_invalid' }],
    ['without an operation', '/no/such/path', {}, { name: 'GET', status: 404, outcome: 'route_not_found' }],
    [
      'with another method',
      '/echo/7',
      { method: 'PATCH' },
      { name: 'PATCH', status: 405, outcome: 'method_not_allowed' },
    ],
    [
      'with an unknown method',
      '/echo',
      { method: 'PURGE' },
      { name: 'HTTP', status: 405, outcome: 'method_not_allowed' },
    ],
  ])('%s', async (_, path, init, { name, status, outcome }) => {
    const response = await rawCall(path, init);
    const span = await server();
    expect(response).toBe(status);
    expect(span).toMatchObject({
      name,
      isError: false,
      attributes: { 'tollgate.outcome': outcome, 'http.response.status_code': status },
    });
    if (init.method === 'PURGE') {
      expect(span.attributes).toMatchObject({
        'http.request.method': '_OTHER',
        'http.request.method_original': 'PURGE',
      });
    }
    expect(await receiver.trace(traceId, 1)).toHaveLength(1);
  });

  test('if it exceeded its quota', async () => {
    const body = JSON.stringify({ owner: 'acme', name: 'small', plan: 'free' });
    const response = await gateway.admin('/v1/keys', { method: 'POST', body });
    const small = (await response.json()) as { key: string; id: string };
    for (let used = 0; used < LIMITS.minute; used++) await gateway.call('/echo', { key: small.key });
    expect((await call('/echo', { key: small.key })).status).toBe(429);
    expect(await server()).toMatchObject({
      name: 'GET /echo',
      attributes: { 'tollgate.outcome': 'quota_exceeded', 'tollgate.key.id': small.id },
    });
  });

  /** Sends a request with any method, because `fetch` rejects unknown ones. */
  async function rawCall(
    path: string,
    { key = gateway.demoKey, method = 'GET' }: RequestInit & { key?: string | null },
  ) {
    const connection = new RawConnection(gateway.url);
    const lines = `Host: x\r\ntraceparent: ${traceparent}\r\n${key === null ? '' : `X-API-Key: ${key}\r\n`}`;
    const text = await connection.send(`${method} ${path} HTTP/1.1\r\nConnection: close\r\n${lines}\r\n`).closed();
    connection.socket.destroy();
    return Number(text.split(' ')[1]);
  }
});

test('no span contains a key, wherever in the request the key was', async () => {
  const key = gateway.demoKey;
  await call(`/echo/${key}?key=${key}`, { headers: { referer: `https://x/?${key}`, cookie: `a=${key}` } });
  await receiver.trace(traceId, 2);
  for (const { body } of receiver.requests) {
    expect(body.includes(key)).toBe(false);
    expect(body.includes('secret=1')).toBe(false);
  }
});

describe('a WebSocket handshake', () => {
  test('has both spans, which end with its response', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/echo`, {
      headers: { 'X-API-Key': gateway.demoKey, traceparent },
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const [span, client] = await receiver.trace(traceId, 2);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(span).toMatchObject({
      name: 'GET /echo',
      kind: 'server',
      isError: false,
      attributes: { 'http.response.status_code': 101, 'tollgate.outcome': 'served' },
    });
    expect(client).toMatchObject({
      kind: 'client',
      parentSpanId: span?.spanId,
      attributes: { 'http.response.status_code': 101, 'url.full': `${service.url}/base/echo` },
    });
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.close();
    await closed;
  });

  test('that is refused has a server span', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/echo`, { headers: { traceparent } });
    await new Promise((resolve) => socket.addEventListener('error', resolve));
    expect(await server()).toMatchObject({ attributes: { 'tollgate.outcome': 'key_missing' } });
  });
});

test('the log line of a request has its trace id', async () => {
  await call('/echo', { headers: { 'x-request-id': 'logged-1' } });
  const response = await gateway.call('/echo', { headers: { 'x-request-id': 'logged-2' } });
  const own = (await receivedHeader(response, 'traceparent'))?.split('-')[1];
  const findLine = (id: string) => gateway.responses().find(({ requestId }) => requestId === id);
  await until(() => findLine('logged-2') !== undefined);
  expect([findLine('logged-1')?.['traceId'], findLine('logged-2')?.['traceId']]).toEqual([traceId, own]);
});
