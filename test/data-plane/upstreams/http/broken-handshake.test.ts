/**
 * The attack: a service resets a WebSocket, or responds to its handshake with something other than an upgrade. The
 * consumer's connection and its slot used to stay occupied for five minutes, and a response that was not an upgrade
 * bypassed the gateway, which neither logged nor counted it.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { until } from '../../../support/until.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { startRawService, type RawService, type Script } from '../../../support/services/raw-service.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';

let service: RawService;
let gateway: TestGateway;
let unhandled: unknown[] = [];
const recordUnhandled = (error: unknown) => unhandled.push(error);

beforeAll(async () => {
  service = await startRawService();
  const timeouts = { response: '400ms', idle: '400ms' };
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url), timeouts }], {
    edge: { maxTunnels: 1 },
  });
  process.on('unhandledRejection', recordUnhandled).on('uncaughtException', recordUnhandled);
});
beforeEach(() => void (unhandled = []));
afterAll(async () => {
  process.off('unhandledRejection', recordUnhandled).off('uncaughtException', recordUnhandled);
  await gateway.stop();
  await service.close();
});

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

function sendHandshake(script: Script): RawConnection {
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const head = `Host: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}`;
  return new RawConnection(gateway.url).send(`GET ${service.play(script)} HTTP/1.1\r\n${head}\r\n\r\n`);
}

/** Everything that is received in response to a handshake. The connection must close, because of the response. */
async function readResult(script: Script): Promise<string> {
  const connection = sendHandshake(script);
  const stopwatch = startStopwatch();
  const text = await connection.closed();
  expect(stopwatch.stop()).toBeLessThan(20_000);
  connection.close();
  await expectFreeSlot();
  return text;
}

/**
 * Opens a WebSocket with a key that may have only one, which shows that no tunnel is left. Also checks that no error
 * was unhandled.
 */
async function expectFreeSlot(): Promise<void> {
  let target: Socket | undefined;
  const connection = sendHandshake((socket) => {
    target = socket;
    socket.write(SWITCH);
  });
  expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 /);
  connection.close();
  await until(() => target?.destroyed === true);
  await until(() => service.connections.open === 0);
  expect(unhandled).toEqual([]);
}

test.each([
  ['resets it', (socket: Socket) => socket.resetAndDestroy()],
  ['closes it', (socket: Socket) => socket.destroy()],
  ['ends it', (socket: Socket) => socket.end()],
  [
    'sends half a frame, and resets it',
    (socket: Socket) => socket.write('\x81\x7ehalf', () => socket.resetAndDestroy()),
  ],
])(
  'if a service opens a WebSocket and %s, the consumer’s connection closes and its slot is freed',
  async (_, leave) => {
    const atOnce = await readResult((socket) => socket.write(SWITCH, () => leave(socket)));
    expect(atOnce).toMatch(/^(HTTP\/1\.1 101 |HTTP\/1\.1 502 )/);
    const later = await readResult((socket) => {
      socket.write(SWITCH);
      setTimeout(() => leave(socket), 50);
    });
    expect(later).toMatch(/^HTTP\/1\.1 101 /);
  },
);

test.each([
  ['with a length', 'HTTP/1.1 200 Fine\r\nX-Request-Id: forged\r\nContent-Length: 5\r\n\r\nhello', /\r\n\r\nhello$/],
  [
    'that is chunked',
    'HTTP/1.1 200 Fine\r\nX-Request-Id: forged\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    /\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/,
  ],
])('a 200 with a body %s is forwarded like any other response, and the connection closes', async (_, script, body) => {
  const text = await readResult(script);
  expect(text).toMatch(/^HTTP\/1\.1 200 Fine\r\n/);
  expect(text).toMatch(body);
  expect(text).toMatch(/^x-ratelimit-remaining: \d+$/im);
  expect(text).toMatch(/^connection: close$/im);
  expect(text).not.toMatch(/forged/);
  const line = gateway.responses().findLast(({ status }) => status !== 101);
  expect(line).toMatchObject({ status: 200, operation: 'getEchoById' });
  expect(line).not.toHaveProperty('aborted');
});

test('a body that ends when the connection closes is complete', async () => {
  expect(await readResult((socket) => socket.end('HTTP/1.1 403 Ung\xfcltig\r\n\r\nhello', 'latin1'))).toMatch(
    /^HTTP\/1\.1 403 Ung\xfcltig\r\n[^]*hello/,
  );
});

test.each([
  ['stops', () => undefined],
  ['is reset', (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 20)],
])('if a body %s, the consumer’s connection closes', async (_, leave) => {
  const text = await readResult((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    leave(socket);
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*abc$/);
});

test.each([
  ['something other than HTTP', 'SSH-2.0-OpenSSH_9.7\r\n'],
  ['101 without the upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['099', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(20_000)}`],
  ['a transfer coding that the consumer would not see', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
])('%s gets a 502', async (_, script) => {
  const text = await readResult(script);
  expect(text).toMatch(/^HTTP\/1\.1 502 [^]*"upstream_bad_response"/);
});

test('endless interim responses get a 504', async () => {
  const text = await readResult((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  expect(text).toMatch(/^HTTP\/1\.1 504 /);
});

test('interim responses before the upgrade are not forwarded', async () => {
  const text = await readResult((socket) =>
    socket.end(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${SWITCH}`),
  );
  expect(text).toMatch(/^HTTP\/1\.1 101 /);
});

test('a consumer that disconnects before the service responds leaves no connection open', async () => {
  let requested = false;
  const connection = sendHandshake(() => (requested = true));
  await until(() => requested);
  const lines = gateway.responses().length;
  connection.socket.resetAndDestroy();
  await until(() => gateway.responses().length > lines);
  expect(gateway.responses().at(-1)).toMatchObject({ aborted: true, operation: 'getEchoById' });
  expect(gateway.responses().at(-1)).not.toHaveProperty('status');
  await expectFreeSlot();
  expect(gateway.logs.filter((line) => line.includes('"ECONNRESET"'))).toEqual([]);
});

test('a target with open WebSockets counts as busier than one without', async () => {
  const other = await startRawService();
  const both = await startGatewayWithUpstreams([contractTarget(service.url, other.url)]);
  try {
    const script: Script = (socket, head) =>
      socket.write(/upgrade: websocket/i.test(head) ? SWITCH : 'HTTP/1.1 204 None\r\n\r\n');
    const paths = [service.play(script), other.play(script)];
    while (paths[0] !== paths[1]) {
      const [one = '', two = ''] = paths;
      if (Number(one.slice(6)) < Number(two.slice(6))) paths[0] = service.play(script);
      else paths[1] = other.play(script);
    }
    const tunnel = new RawConnection(both.url).send(
      `GET ${paths[0]} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${both.demoKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await tunnel.until(/\r\n\r\n/);
    const before = [service.heads.length, other.heads.length];
    for (let call = 0; call < 6; call++) await both.call(paths[0] ?? '');
    const seen = [service.heads.length, other.heads.length].map((count, index) => count - (before[index] ?? 0));
    expect(seen.toSorted((a, b) => a - b)).toEqual([0, 6]);
    tunnel.close();
  } finally {
    await both.stop();
    await other.close();
  }
});
