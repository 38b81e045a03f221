/**
 * The attack: a client sends the head of a POST without its body, and lets a proxy reuse the connection. HAProxy 2.6
 * reuses it if the request came over HTTP/2 and was refused before its body: it sends the next request, maybe of
 * another client, while the gateway still waits for the body. The gateway then takes the beginning of that request for
 * the body, and bytes inside it for a request with any X-Forwarded-For. Therefore a response to a request whose body
 * has not arrived must close the connection, on every listener.
 */
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { contractDocument, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startHaproxy } from '../../support/servers/haproxy.ts';
import type { ProxyProcess } from '../../support/servers/proxy-process.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { createService } from '../../support/services/contract-service.ts';

let service: HttpService;
let gateway: TestGateway;

beforeAll(async () => {
  service = await serveHttp(createService().handler);
  const contract = { openapi: contractDocument };
  gateway = await startGatewayWithUpstreams(
    [
      { name: 'http', ...contract, targets: [service.url] },
      {
        name: 'module',
        prefix: '/module',
        idPrefix: 'module.',
        ...contract,
        module: join(root, 'test/support/services/contract-service.ts'),
      },
    ],
    {
      trustedProxies: ['127.0.0.1'],
      guard: { failedAttempts: 1000 },
      portal: { enabled: true, public: true },
      cors: { origins: ['https://app.example.com'] },
    },
  );
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

const LISTENERS = ['public', 'admin', 'portal'] as const;
type Listener = (typeof LISTENERS)[number];

function findUrl(listener: Listener): string {
  return { public: gateway.url, admin: gateway.adminUrl, portal: gateway.portalUrl }[listener];
}

/** Opens a connection and sends the bytes, in which `HOST` stands for the header `Host` of the listener. */
function open(listener: Listener, bytes: string): RawConnection {
  const { host } = new URL(findUrl(listener));
  return new RawConnection(findUrl(listener)).send(bytes.replace('HOST', `Host: ${host}`));
}

/** Expects a response that announces the end of the connection, and then the end. */
async function expectClosed(listener: Listener, bytes: string, status: number): Promise<void> {
  const connection = open(listener, bytes);
  const response = await connection.readResponse();
  expect(response.head).toMatch(/^connection: close$/im);
  expect(response.status).toBe(status);
  expect(await connection.closed()).toBe('');
  connection.close();
}

describe.each([
  ['public', '/echo', 401],
  ['public', '/module/echo', 401],
  ['admin', '/v1/keys', 401],
  ['portal', '/api/keys', 401],
  ['portal', '/api/session', 415],
] as const)('the %s listener refuses a POST to %s with %d', (listener, path, status) => {
  test.each([
    ['none of its body has arrived', 'Content-Length: 100', ''],
    ['a part of its body has arrived', 'Content-Length: 100', 'x'.repeat(99)],
    ['its last chunk has not arrived', 'Transfer-Encoding: chunked', '5\r\nabcde\r\n'],
    ['it waits for 100 Continue', 'Content-Length: 5\r\nExpect: 100-continue', ''],
    ['it expects something unknown', 'Content-Length: 5\r\nExpect: 42', ''],
  ])('and closes the connection if %s', async (_, header, body) => {
    // Admin API and portal send 100 Continue before they look at a request.
    const connection = open(listener, `POST ${path} HTTP/1.1\r\nHOST\r\n${header}\r\n\r\n${body}`);
    let response = await connection.readResponse();
    if (response.status === 100) response = await connection.readResponse();
    expect(response.head).toMatch(/^connection: close$/im);
    expect(response.status).toBe(status);
    expect(await connection.closed()).toBe('');
    connection.close();
  });

  test.each([
    ['no body', 'Content-Length: 0', ''],
    ['all of its body in the packet of its head', 'Content-Length: 5', 'abcde'],
    ['all of its chunks in the packet of its head', 'Transfer-Encoding: chunked', '5\r\nabcde\r\n0\r\n\r\n'],
  ])('and keeps the connection open if it has %s', async (_, header, body) => {
    const connection = open(listener, `POST ${path} HTTP/1.1\r\nHOST\r\n${header}\r\n\r\n${body}`);
    for (let request = 0; request < 2; request++) {
      const response = await connection.readResponse();
      expect(response.head).not.toMatch(/^connection: close$/im);
      expect(response.status).toBeGreaterThanOrEqual(400);
      if (request === 0) connection.send(`GET ${path} HTTP/1.1\r\nHost: ${new URL(findUrl(listener)).host}\r\n\r\n`);
    }
    connection.close();
  });
});

describe('every other response before the body has arrived also closes the connection, for', () => {
  const key = () => `X-API-Key: ${gateway.demoKey}`;
  const admin = () => `Authorization: Bearer ${gateway.adminToken}`;
  const preflight = 'Origin: https://app.example.com\r\nAccess-Control-Request-Method: GET';

  test.each<[string, Listener, string, () => string, number]>([
    ['an unknown path', 'public', 'POST /nowhere', key, 404],
    ['an unknown method', 'public', 'POST /large', key, 405],
    ['a preflight', 'public', 'OPTIONS /echo', () => preflight, 204],
    ['the catalog of the API', 'public', 'GET /.well-known/api-catalog', () => 'Accept: */*', 200],
    ['an endpoint of the gateway', 'public', 'GET /_gateway/usage', key, 200],
    ['a service that does not read the body', 'public', 'POST /ignore', key, 200],
    ['a module that does not read the body', 'public', 'POST /module/ignore', key, 200],
    ['an operation that takes no body', 'admin', 'GET /v1/plans', admin, 200],
    ['an unknown path', 'admin', 'POST /v1/nowhere', admin, 404],
    ['a wrong media type', 'admin', 'POST /v1/keys', () => `${admin()}\r\nContent-Type: text/plain`, 415],
    ['the console', 'admin', 'GET /console/', () => 'Accept: */*', 200],
    ['an unknown path', 'portal', 'POST /api/nowhere', () => 'Accept: */*', 401],
    ['a page of the portal', 'portal', 'GET /', () => 'Accept: */*', 200],
  ])('%s of the %s listener (%s)', async (_, listener, request, header, status) => {
    await expectClosed(
      listener,
      `${request} HTTP/1.1\r\nHOST\r\n${header()}\r\nContent-Length: 100\r\n\r\n${'x'.repeat(10)}`,
      status,
    );
  });
});

describe('behind HAProxy with HTTP/2', () => {
  let proxy: ProxyProcess;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    const address = (listener: Listener) => `127.0.0.1:${new URL(findUrl(listener)).port}`;
    proxy = await startHaproxy(
      (port) => `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:${port} proto h2
  http-request set-header X-Forwarded-For %[src]
  use_backend ${LISTENERS[1]} if { path_beg /v1 }
  use_backend ${LISTENERS[2]} if { path_beg /api }
  default_backend ${LISTENERS[0]}
${LISTENERS.map((listener) => `backend ${listener}\n  server ${listener} ${address(listener)}`).join('\n')}`,
    );
    session = connect(proxy.url);
  });
  afterAll(async () => {
    session.destroy();
    await proxy.stop();
  });

  interface Http2Response {
    readonly status: number;
    readonly body: string;
  }

  /**
   * Sends a request.
   *
   * @param body null: the body is never sent, although the request ends once its response has begun
   */
  function send(headers: OutgoingHttpHeaders, body: string | null): Promise<Http2Response> {
    return new Promise((resolve, reject) => {
      const stream = session.request(headers, { endStream: false });
      let status = 0;
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
      stream.once('response', (given) => {
        status = given[':status'] ?? 0;
        if (body === null) stream.end();
      });
      stream.once('end', () => resolve({ status, body: text }));
      stream.once('error', reject);
      if (body !== null) stream.end(body);
    });
  }

  const MISSING_BYTES = 2000;
  /** Sends a POST without its body, and waits until HAProxy has noticed that it is over. */
  async function sendWithoutBody(path: string): Promise<Http2Response> {
    const headers = { ':method': 'POST', ':path': path, 'content-length': String(MISSING_BYTES) };
    const response = await send(headers, null);
    await new Promise((resolve) => session.ping(resolve));
    return response;
  }

  test.each([
    ['public', '/echo', '/echo', 401],
    ['admin', '/v1/keys', '/v1/plans', 401],
    ['portal', '/api/keys', '/api/session', 401],
  ])('the request after one without its body gets its own response (%s listener)', async (_, refused, next, status) => {
    for (let round = 0; round < 3; round++) {
      expect((await sendWithoutBody(refused)).status).toBe(401);
      const response = await send({ ':method': 'GET', ':path': next }, '');
      expect(response).toMatchObject({
        status,
        body: expect.stringMatching(/key_missing|unauthorized|sign_in_needed/),
      });
    }
  });

  test('a client cannot smuggle in a request with a forged X-Forwarded-For', async () => {
    const key = { 'x-api-key': gateway.demoKey };
    // Empty lines may precede a request: the bytes that the gateway waits for end in them, or in the head before them.
    const forged = `GET /echo?forged HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n`;
    const body = '\r\n'.repeat(MISSING_BYTES) + forged;
    for (let round = 0; round < 10; round++) {
      // HAProxy sends the first requests of a client on connections of their own.
      await send({ ':method': 'GET', ':path': '/echo', ...key }, '');
      await sendWithoutBody('/echo');
      const headers = { ':method': 'POST', ':path': '/echo', 'content-length': String(body.length), ...key };
      const { status, body: seen } = await send(headers, body);
      expect(status).toBe(200);
      expect(JSON.parse(seen)).toMatchObject({ method: 'POST', url: '/echo', body });
    }
  });
});
