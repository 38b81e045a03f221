/**
 * Event streams do not keep other requests to a target waiting, and a request waits only for a limited time. A
 * connection that is too old is never used again, and never closed while it serves a request.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { startRawService, type RawService } from '../../../support/services/raw-service.ts';
import { until } from '../../../support/until.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const STREAM =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ndata:\n\r\n';
const STREAM_END = '0\r\n\r\n';

let service: RawService;
let gateway: TestGateway;
/** The connections on whose requests the service has not responded yet. */
let held: Socket[];
let slow: string;
let streams: Socket[];
let stream: string;
let quick: string;

beforeEach(async () => {
  service = await startRawService();
  [held, streams] = [[], []];
  slow = service.play((socket) => held.push(socket));
  stream = service.play((socket) => {
    socket.write(STREAM);
    streams.push(socket);
  });
  quick = service.play(OK);
});
afterEach(async () => {
  await gateway.stop();
  await service.close();
});

async function start(settings: Record<string, unknown>): Promise<void> {
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url), ...settings }]);
}

/** Opens an event stream through the gateway, and waits for its first event. */
async function openStream(): Promise<RawConnection> {
  const connection = new RawConnection(gateway.url);
  connection.send(`GET ${stream} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
  expect(await connection.until(/data:|HTTP\/1\.1 503/)).toContain('data:');
  return connection;
}

const readText = async (path: string) => (await gateway.call(path)).text();

/** The values of the metrics of connections, by state, and of waiting requests. */
async function metrics(): Promise<Record<string, number>> {
  const text = await (await gateway.admin('/metrics')).text();
  const values = text.matchAll(
    /^tollgate_upstream_(?:connections\{upstream="contract",state="(\w+)"|(waiting)\{upstream="contract")\} (\d+)$/gm,
  );
  return Object.fromEntries(Array.from(values, ([, state, waiting, value]) => [state ?? waiting, Number(value)]));
}

const hasMetrics = (expected: Record<string, number>) => async () => isDeepStrictEqual(await metrics(), expected);

describe('with a limit of connections', () => {
  test('a third call is served while two event streams are open', async () => {
    await start({ maxConnections: 2 });
    const open = [await openStream(), await openStream()];
    expect(await Promise.all([readText(quick), readText(quick), readText(quick)])).toEqual(['ok', 'ok', 'ok']);
    await until(hasMetrics({ active: 0, idle: 2, stream: 2, waiting: 0 }));
    for (const connection of open) connection.close();
    await until(hasMetrics({ active: 0, idle: 2, stream: 0, waiting: 0 }));
  });

  test('a waiting request is sent when the response on the only connection turns out to be an event stream', async () => {
    await start({ maxConnections: 1 });
    const turning = new RawConnection(gateway.url);
    turning.send(`GET ${slow} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
    await until(() => held.length === 1);
    const waiting = readText(quick);
    await until(hasMetrics({ active: 1, idle: 0, stream: 0, waiting: 1 }));
    held[0]?.write(STREAM);
    expect(await waiting).toBe('ok');
    expect(await turning.until(/data:/)).toContain('data:');
    turning.close();
  });

  test('a third call waits for timeouts.wait during two slow ones, and is refused without reaching the service', async () => {
    await start({ maxConnections: 2, timeouts: { wait: '100ms' } });
    const running = [readText(slow), readText(slow)];
    await until(() => held.length === 2);
    const refused = await gateway.call(quick);
    expect(await refused.json()).toEqual({
      code: 'upstream_busy',
      message: expect.stringContaining('are in use'),
      status: 503,
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(service.heads).toHaveLength(2);
    for (const socket of held) socket.write(OK);
    expect(await Promise.all(running)).toEqual(['ok', 'ok']);
    expect(gateway.responses().filter(({ reason }) => reason === 'upstream_busy')).toHaveLength(1);
    const lines = gateway.logs.map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'target busy', target: service.url, limit: 'timeouts.wait', refused: 1 }),
    );
    const text = await (await gateway.admin('/metrics')).text();
    expect(text).toMatch(/upstream_busy"[^\n]* 1$/m);
  });
});

describe('with a limit of event streams', () => {
  test('a stream above the limit is refused and its connection closed, until another stream ends', async () => {
    await start({ maxStreams: 2 });
    const [first, second] = [await openStream(), await openStream()];
    const refused = await gateway.call(stream);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'application/json']);
    expect(await refused.json()).toMatchObject({ code: 'upstream_busy' });
    expect(refused.headers.get('retry-after')).toBe('1');
    await until(() => service.connections.open === 2);
    // The response to a HEAD is never a stream.
    const isEmpty = service.play('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
    expect((await gateway.call('/echo', { method: 'HEAD', headers: { 'X-Script': isEmpty } })).status).toBe(200);
    streams[0]?.write(STREAM_END);
    await first.until(/\r\n0\r\n/);
    const third = await openStream();
    for (const connection of [first, second, third]) connection.close();
  });

  test('ended streams leave no more idle connections than maxConnections', async () => {
    await start({ maxConnections: 1 });
    const open = [await openStream(), await openStream(), await openStream()];
    for (const socket of streams) socket.write(STREAM_END);
    await until(hasMetrics({ active: 0, idle: 1, stream: 0, waiting: 0 }));
    await until(() => service.connections.open === 1);
    for (const connection of open) connection.close();
  });
});

describe('a connection that is too old', () => {
  test('serves its request and closes, and the next request gets a new connection', async () => {
    await start({ maxConnectionAge: '300ms' });
    const response = readText(slow);
    await until(() => held.length === 1);
    await sleep(500);
    expect(service.connections).toEqual({ open: 1, ever: 1 });
    held[0]?.write(OK);
    expect(await response).toBe('ok');
    await until(() => service.connections.open === 0);
    expect(await readText(quick)).toBe('ok');
    expect(service.connections.ever).toBe(2);
  });

  test('closes when it has no request, even if the service would keep it open longer', async () => {
    await start({ maxConnectionAge: '300ms' });
    await readText(service.play(OK.replace('\r\n', '\r\nKeep-Alive: timeout=600\r\n')));
    expect(service.connections.open).toBe(1);
    await until(() => service.connections.open === 0);
  });

  test('never fails a request, even if hundreds of connections are replaced', async () => {
    await start({ maxConnectionAge: '20ms', maxConnections: 4 });
    const over = new AbortController();
    const statuses = new Set<number>();
    const callers = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        // A POST is never repeated.
        const response = await gateway.call('/echo', { method: 'POST', headers: { 'X-Script': quick } });
        await response.text();
        statuses.add(response.status);
      }
    });
    await until(() => service.connections.ever > 200);
    over.abort();
    await Promise.all(callers);
    expect([...statuses]).toEqual([200]);
  });
});

describe('the header of a response', () => {
  const withHeader = (kb: number) => service.play(OK.replace('\r\n', `\r\nX-Long: ${'x'.repeat(kb * 1024)}\r\n`));

  test('may have 15 kB by default, but not 40 kB', async () => {
    await start({});
    const allowed = await gateway.call(withHeader(15));
    expect([allowed.status, allowed.headers.get('x-long')?.length]).toEqual([200, 15 * 1024]);
    const refused = await gateway.call(withHeader(40));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([502, 'upstream_bad_response']);
    expect(gateway.logs.join('')).toContain('its header is larger than maxResponseHeader');
    expect(await readText(quick)).toBe('ok');
  });

  test('may have 40 kB if maxResponseHeader allows it, also in the response to a WebSocket handshake', async () => {
    await start({ maxResponseHeader: '64kb' });
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    for (const more of ['', upgrade]) {
      const { status, head } = await responseTo(withHeader(40), more);
      expect([status, head.length > 40 * 1024]).toEqual([200, true]);
      expect((await responseTo(withHeader(80), more)).status).toBe(502);
    }
  });

  /** The client of these tests has a limit of its own. */
  async function responseTo(path: string, more: string) {
    const connection = new RawConnection(gateway.url);
    connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n${more}\r\n`);
    const response = await connection.readResponse();
    connection.close();
    return response;
  }
});
