/**
 * The attack: several requests in one packet. Node's parser emits all of them at once, so a client could run thousands
 * of requests over one connection. A request that takes the connection from Node (a WebSocket handshake, CONNECT) or
 * breaks it (bytes that are not HTTP) could arrive while a response was still pending:
 * - a handshake behind a request ended the process (`ERR_HTTP_SOCKET_ASSIGNED`);
 * - CONNECT and a reset ended it too, because Node removes its error listener from such a socket;
 * - the 405 to CONNECT, or the 400 to invalid bytes, arrived as the response to the previous request;
 * - a request behind one that closes the connection was charged, but got no response;
 * - bytes behind a refused request that closes the connection caused a reset, which discarded the refusal;
 * - 2,000 requests in one packet opened 2,000 connections to the service.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { listening, type HttpService } from '../../support/services/http-service.ts';
import { until } from '../../support/until.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';

let service: HttpService;
let gateway: TestGateway;
let connection: RawConnection;
let good: string;
/** The paths that the service received, and its maximum number of concurrent requests. */
const seen: string[] = [];
let running = 0;
let maxRunning = 0;
/** Lets the service respond to the request for `/hang`. */
let release: () => void = () => undefined;

const handshake =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

beforeAll(async () => {
  const server = createServer((req, res) => {
    seen.push(req.url ?? '');
    maxRunning = Math.max(maxRunning, ++running);
    const response = () => {
      running--;
      res.end(req.url);
    };
    if (req.url?.startsWith('/hang') === true) release = response;
    else setImmediate(response);
  });
  server.on('upgrade', (_req, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  server.keepAliveTimeout = 60_000;
  service = await listening(server);
  gateway = await startGatewayWithUpstreams([contractTarget(service.url)], { edge: { headersTimeout: '1s' } });
  good = `Host: x\r\nX-API-Key: ${gateway.demoKey}\r\n`;
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});
afterEach(() => {
  connection.close();
  seen.length = 0;
  maxRunning = 0;
});

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${good}${headers}\r\n`;

function send(bytes: string): RawConnection {
  connection = new RawConnection(gateway.url);
  return connection.send(bytes);
}

async function readStatusAndBody(): Promise<[status: number, body: string]> {
  const { status, body } = await connection.readResponse();
  return [status, status < 400 ? body : (JSON.parse(body) as { code: string }).code];
}

async function used(): Promise<number> {
  const usage = (await (await gateway.call('/_gateway/usage')).json()) as { windows: { used: number }[] };
  return usage.windows[0]?.used ?? NaN;
}

test('2,000 requests in one packet are processed one at a time, in order', async () => {
  const paths = Array.from({ length: 2000 }, (_, index) => `/echo/${index}`);
  send(paths.map((path) => get(path)).join(''));
  for (const path of paths) expect(await readStatusAndBody()).toEqual([200, path]);
  expect(maxRunning).toBe(1);
});

describe('behind an unanswered request', () => {
  async function expectLateResponse(): Promise<void> {
    await until(() => seen.includes('/hang'));
    expect(connection.received).toBe('');
    release();
    expect(await readStatusAndBody()).toEqual([200, '/hang']);
  }

  test('a handshake is treated as an ordinary request', async () => {
    send(get('/hang') + `GET /echo HTTP/1.1\r\n${good}${handshake}`);
    await expectLateResponse();
    expect(await readStatusAndBody()).toEqual([200, '/echo']);
  });

  test('a handshake without a key gets its 401 in order', async () => {
    send(`GET /pets HTTP/1.1\r\nHost: x\r\n\r\nGET /echo HTTP/1.1\r\nHost: x\r\n${handshake}`);
    expect(await readStatusAndBody()).toEqual([401, 'key_missing']);
    expect(await readStatusAndBody()).toEqual([401, 'key_missing']);
  });

  test.each([
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', [405, 'method_not_allowed']],
    [
      'CONNECT with a body',
      'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\nContent-Length: 3\r\n\r\nabc',
      [405, 'method_not_allowed'],
    ],
    ['something that is not a request', 'nonsense\r\n\r\n', [400, 'bad_request']],
    ['headers that never end', 'GET /echo HTTP/1.1\r\nHost:', [408, 'request_timeout']],
  ])('%s is refused in order, and then the connection closes', async (_, bytes, refusal) => {
    send(get('/hang') + bytes);
    if (refusal[0] === 408) await new Promise((resolve) => setTimeout(resolve, 2500));
    await expectLateResponse();
    expect(await readStatusAndBody()).toEqual(refusal);
    await connection.closed();
  });

  test('CONNECT does not interrupt a pending response, however slowly the client reads it', async () => {
    const bytes = 5_000_000;
    connection = new RawConnection(largeGateway.url);
    connection.socket.pause();
    connection.send(
      `GET /large?bytes=${bytes} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${largeGateway.demoKey}\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.socket.resume();
    const text = await connection.closed();
    expect(text.replaceAll(/[^x]/g, '').length).toBeGreaterThanOrEqual(bytes);
    expect(/\r\n0\r\n\r\nHTTP\/1\.1 405 /.test(text)).toBe(true);
  });

  let largeGateway: TestGateway;
  beforeAll(async () => {
    const module = new URL('../../support/services/contract-service.ts', import.meta.url).pathname;
    largeGateway = await startGatewayWithUpstreams([
      { ...contractTarget(), targets: undefined, timeouts: undefined, module },
    ]);
  });
  afterAll(() => largeGateway.stop());
});

test('a handshake upgrades the connection if no request on it is pending', async () => {
  send(get('/echo'));
  expect(await readStatusAndBody()).toEqual([200, '/echo']);
  connection.send(`GET /echo HTTP/1.1\r\n${good}${handshake}`);
  expect((await connection.readResponse()).status).toBe(101);
});

test('requests behind one that closes the connection are neither charged nor forwarded', async () => {
  const before = await used();
  send(get('/echo/1', 'Connection: close\r\n') + get('/echo/2'));
  expect(await readStatusAndBody()).toEqual([200, '/echo/1']);
  expect(await connection.closed()).toBe('');
  expect(await used()).toBe(before + 1);
  expect(seen).toEqual(['/echo/1']);
});

test('a refusal that closes the connection arrives, whatever the client sends after it', async () => {
  const behind = `${get('/fine', 'Content-Length: 300000\r\n')}${'b'.repeat(300_000)}`.repeat(10);
  const refused = `TRACE /echo/1 HTTP/1.1\r\n${good}Connection: close\r\nContent-Length: 100\r\n\r\n${'b'.repeat(100)}`;
  send(refused + behind);
  // A reset may overtake the response or not, so there must be none at all.
  const resets: Error[] = [];
  connection.socket.on('error', (error) => resets.push(error));
  expect((await connection.readResponse()).status).toBe(405);
  await connection.closed();
  expect(resets).toEqual([]);
});

test('when a client disconnects, its waiting requests are dropped and not charged', async () => {
  const before = await used();
  send(get('/hang') + get('/echo/2') + get('/echo/3'));
  await until(() => seen.includes('/hang'));
  connection.close();
  await until(() => gateway.responses().some(({ operation, aborted }) => operation === 'getHang' && aborted === true));
  expect(await used()).toBe(before + 1);
  expect(seen).toEqual(['/hang']);
  release();
});

test('the gateway still serves requests after repeated CONNECTs followed by a reset', async () => {
  for (let round = 0; round < 50; round++) {
    send('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
    await new Promise((resolve) => connection.socket.once('connect', resolve));
    connection.socket.resetAndDestroy();
    send('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\nContent-Length: 9\r\n\r\nabc');
    await new Promise((resolve) => connection.socket.once('connect', resolve));
    connection.socket.resetAndDestroy();
  }
  send(get('/echo'));
  expect(await readStatusAndBody()).toEqual([200, '/echo']);
});
