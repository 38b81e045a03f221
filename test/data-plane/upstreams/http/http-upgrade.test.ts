import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'undici';
import { createService } from '../../../support/services/contract-service.ts';
import { root, type TestGateway } from '../../../support/gateway/gateway.ts';
import { listening, serveHttp, type HttpService } from '../../../support/services/http-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../../../support/gateway/gateway-with-upstreams.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { RawConnection } from '../../../support/raw.ts';
import { createFrame, computeAccept } from '../../../support/websocket.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/**
 * Starts the service.
 *
 * @param path a Unix socket on which it listens instead of a port
 */
async function httpService(path?: string): Promise<HttpService> {
  const { handler, upgrade } = createService();
  const service = await serveHttp(handler, path);
  service.server.on('upgrade', upgrade);
  return service;
}

async function gatewayTo(url: string, settings = {}, limits = { minute: 1000, day: 1000 }): Promise<TestGateway> {
  const gateway = await startGatewayWithUpstreams([contractTarget(url)], settings, limits);
  opened.push(() => gateway.stop());
  return gateway;
}

const handshakeLines =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const handshake = (key: string | null, path = '/echo') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${key === null ? '' : `X-API-Key: ${key}\r\n`}${handshakeLines}\r\n`;

/** Opens a WebSocket through a gateway. */
async function open(gateway: TestGateway, path = '/echo', key = gateway.demoKey) {
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, { headers: { 'X-API-Key': key } });
  const messages: string[] = [];
  let wake: () => void = () => undefined;
  socket.addEventListener('message', ({ data }) => {
    messages.push(String(data));
    wake();
  });
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  return {
    socket,
    closed,
    echo: async (text: string) => {
      const got = new Promise<void>((resolve) => (wake = resolve));
      socket.send(text);
      await got;
      return messages.at(-1) ?? '';
    },
  };
}

const folder = tempFolder();
afterAll(() => folder.remove());

describe.each(['HTTP', 'a Unix socket', 'in process'])('upgrades of an upstream: %s', (kind) => {
  let service: HttpService;
  let gateway: TestGateway;
  beforeAll(async () => {
    service = await httpService(kind === 'a Unix socket' ? join(folder.path, 'app.sock') : undefined);
    const module = {
      name: 'contract',
      openapi: contractDocument,
      module: join(root, 'test/support/services/contract-service.ts'),
    };
    gateway = await startGatewayWithUpstreams([kind === 'in process' ? module : contractTarget(service.url)]);
  });
  afterAll(async () => {
    await gateway.stop();
    await service.close();
  });

  test('a WebSocket echoes small and large messages', async () => {
    const { socket, echo, closed } = await open(gateway);
    expect(await echo('hello')).toBe('hello');
    const large = 'x'.repeat(60_000);
    expect(await echo(large)).toBe(large);
    socket.close(1000);
    expect(await closed).toBe(1000);
  });

  test('the service sees the caller but not the key, and cannot forge the gateway’s headers', async () => {
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey, `/echo?a=${gateway.demoKey}`));
    const { status, head } = await connection.readResponse();
    connection.close();
    expect(status).toBe(101);
    expect(head).toMatch(/^x-seen-consumer: demo$/im);
    expect(head).toMatch(/^x-seen-key: undefined$/im);
    expect(head).toMatch(/^x-seen-url: \/echo\?a=tg_live_redacted$/im);
    expect(head).toMatch(/^x-ratelimit-remaining: \d+$/im);
    expect(head).not.toMatch(/forged/);
    expect(gateway.responses().at(-1)).toMatchObject({ status: 101, operation: 'getEcho' });
  });

  test('data sent directly after the handshake is not lost', async () => {
    const masked = '\x81\x82\0\0\0\0hi';
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey) + masked);
    expect((await connection.until(/hi$/)).slice(-8)).toBe('\r\n\r\n\x81\x02hi');
    connection.close();
  });

  test('a response other than an upgrade is forwarded', async () => {
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey, '/echo/refused'));
    const text = await connection.closed();
    expect(text).toMatch(/^HTTP\/1\.1 418 No Tea\r\n/);
    expect(text).toMatch(/tea$/);
    expect(text).toMatch(/^x-request-id: /im);
    expect(text).not.toMatch(/forged/);
    const line = gateway.responses().at(-1);
    expect(line).toMatchObject({ status: 418, operation: 'getEchoById' });
    expect(line).not.toHaveProperty('aborted');
  });

  test('a handshake is counted by its status', async () => {
    const samples = async () => {
      const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
      const count = (operation: string, status: string) =>
        Number(
          new RegExp(`^tollgate_requests_total{operation="${operation}",status="${status}",.*} (\\d+)$`, 'm').exec(
            text,
          )?.[1] ?? 0,
        );
      return [count('getEcho', '101'), count('getEchoById', '418'), count('getEcho', 'aborted')];
    };
    const before = await samples();
    const { socket, closed } = await open(gateway);
    socket.close();
    await closed;
    await new RawConnection(gateway.url).send(handshake(gateway.demoKey, '/echo/refused')).closed();
    const after = await samples();
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([1, 1, 0]);
  });

  test.each([
    ['no key', null, '/echo', 401, 'key_missing'],
    ['an invalid key', 'nonsense', '/echo', 401, 'key_invalid'],
    ['an unknown path', '', '/nothing', 404, 'route_not_found'],
    ['an ambiguous path', '', '/echo/%2e%2e', 400, 'invalid_path'],
  ])('%s is refused as for any request', async (_, key, path, status, code) => {
    const connection = new RawConnection(gateway.url).send(handshake(key === '' ? gateway.demoKey : key, path));
    const response = await connection.readResponse();
    await connection.closed();
    expect([response.status, JSON.parse(response.body)]).toEqual([status, expect.objectContaining({ code })]);
    expect(response.head).toMatch(/^x-ratelimit-limit: \d+$/im);
    expect(gateway.responses().at(-1)).toMatchObject({ status, reason: code });
  });

  test('any other Upgrade header is removed, and the request is an ordinary one', async () => {
    for (const [method, protocol] of [
      ['GET', 'h2c'],
      ['POST', 'websocket'],
      ['GET', 'websocket, h2c'],
    ]) {
      const connection = new RawConnection(gateway.url);
      connection.send(
        `${method} /echo HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
          'Content-Length: 0\r\n\r\n',
      );
      const { status, body } = await connection.readResponse();
      connection.close();
      expect(status).toBe(200);
      expect(Object.keys((JSON.parse(body) as { headers: object }).headers)).not.toContain('upgrade');
    }
  });
});

describe('a tunnel', () => {
  let service: HttpService;
  beforeAll(async () => {
    service = await httpService();
  });
  afterAll(() => service.close());

  test('above the quota gets a 429', async () => {
    const gateway = await gatewayTo(service.url, {}, { minute: 1, day: 1 });
    const { socket } = await open(gateway);
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    const { status, head } = await connection.readResponse();
    connection.close();
    socket.close();
    expect(status).toBe(429);
    expect(head).toMatch(/^retry-after: \d+$/im);
  });

  const createKey = async (gateway: TestGateway) =>
    ((await (await gateway.admin('/v1/keys')).json()) as { items: { id: string }[] }).items[0]?.id ?? '';
  const quick = { bans: { strikes: 1, grace: '1ms' } };
  /** Makes calls until the key is banned. */
  const ban = async (gateway: TestGateway) => {
    for (let calls = 0; calls < 100; calls++) {
      if ((await gateway.call('/echo')).status === 403) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error('no ban came');
  };

  test('of a banned key gets a 403', async () => {
    const gateway = await gatewayTo(service.url, quick, { minute: 2, day: 100 });
    await ban(gateway);
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    expect((await connection.readResponse()).status).toBe(403);
    connection.close();
  });

  test('is closed with 1008 when its key is banned', async () => {
    const gateway = await gatewayTo(service.url, quick, { minute: 2, day: 100 });
    const { closed, echo } = await open(gateway);
    await echo('still here');
    await ban(gateway);
    expect(await closed).toBe(1008);
  });

  test('of a key with an automatic ban stays open in shadow mode, where such bans do not apply', async () => {
    const gateway = await gatewayTo(service.url, quick, { minute: 2, day: 100 });
    const json = { name: 'Other', owner: 'other', plan: 'free' };
    const created = await gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(json) });
    const other = (await created.json()) as { id: string; key: string };
    await ban(gateway);
    const plan = { name: 'Free', limits: { minute: 2, day: 100 }, mode: 'shadow' };
    expect((await gateway.admin('/v1/plans/free', { method: 'PUT', body: JSON.stringify(plan) })).status).toBe(200);
    await until(async () => (await gateway.call('/echo')).status === 200);
    const banned = await open(gateway);
    // All connections are checked together, so once the other one is closed, this one has passed a check.
    const revoked = await open(gateway, '/echo', other.key);
    await gateway.admin(`/v1/keys/${other.id}`, { method: 'DELETE' });
    expect(await revoked.closed).toBe(1008);
    expect(await Promise.race([banned.closed, banned.echo('still here')])).toContain('still here');
    banned.socket.close();
    await banned.closed;
  });

  test('is closed with 1008 when its key is revoked', async () => {
    const gateway = await gatewayTo(service.url);
    const { closed } = await open(gateway);
    await gateway.admin(`/v1/keys/${await createKey(gateway)}`, { method: 'DELETE' });
    expect(await closed).toBe(1008);
  });

  test('is closed when it is idle', async () => {
    const gateway = await gatewayTo(service.url, { edge: { tunnelIdle: '100ms' } });
    const { closed } = await open(gateway);
    expect(await closed).toBe(1001);
  });

  test('counts toward the tunnel limit of its key', async () => {
    const gateway = await gatewayTo(service.url, { edge: { maxTunnels: 1 } });
    const { socket, closed } = await open(gateway);
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    const { status, body } = await connection.readResponse();
    connection.close();
    expect([status, JSON.parse(body)]).toEqual([429, expect.objectContaining({ code: 'too_many_connections' })]);
    socket.close();
    await closed;
    await until(async () => {
      const next = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
      const head = await next.until(/\r\n\r\n/);
      next.close();
      return head.startsWith('HTTP/1.1 101 ');
    });
  });

  /** A subscriber has a whole /64, so a limit on single IPv6 addresses would have no effect. */
  test('without a key counts toward the tunnel limit of its IPv4 address or IPv6 /64', async () => {
    const gateway = await gatewayTo(service.url, { edge: { maxTunnels: 1 }, trustedProxies: ['127.0.0.1'] });
    const statusFrom = async (address: string) => {
      const from = handshake(null, '/public').replace('Host: x', `Host: x\r\nX-Forwarded-For: ${address}`);
      const connection = new RawConnection(gateway.url).send(from);
      opened.push(() => Promise.resolve(connection.close()));
      return (await connection.readResponse()).status;
    };
    expect(await statusFrom('2001:db8::1')).toBe(101);
    expect(await statusFrom('2001:db8::2')).toBe(429);
    expect(await statusFrom('[2001:DB8:0:0:ffff::]:443')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::1')).toBe(101);
    expect(await statusFrom('203.0.113.1')).toBe(101);
    expect(await statusFrom('::ffff:203.0.113.1')).toBe(429);
    expect(await statusFrom('203.0.113.2')).toBe(101);
  });

  test('closes with 1001 on a drain, which does not wait for it', async () => {
    const gateway = await startGatewayWithUpstreams([contractTarget(service.url)], { drain: { deadline: '2m' } });
    const { closed, echo } = await open(gateway);
    await echo('hello');
    const stopwatch = startStopwatch();
    await gateway.stop();
    expect(await closed).toBe(1001);
    expect(stopwatch.stop()).toBeLessThan(60_000);
  });

  test('is not closed within a frame during a drain', async () => {
    // The service sends half of a frame, and the other half a little later.
    const half = await withUpgrade((req, socket) => {
      const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${computeAccept(req)}\r\n\r\n`;
      const whole = createFrame(0x81, Buffer.from('x'.repeat(1000)));
      // The head and the half are sent in one write, so that the half has arrived when the tunnel is open.
      socket.write(Buffer.concat([Buffer.from(head), whole.subarray(0, 500)]));
      setTimeout(() => socket.write(whole.subarray(500)), 300);
    });
    const gateway = await startGatewayWithUpstreams([contractTarget(half.url)], { drain: { deadline: '5s' } });
    const { closed, socket } = await open(gateway);
    const message = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await gateway.stop();
    expect(await message).toBe('x'.repeat(1000));
    expect(await closed).toBe(1001);
  });

  test('to an unreachable service gets a 502', async () => {
    const gone = await httpService();
    await gone.close();
    const gateway = await gatewayTo(gone.url);
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    const { status, body, head } = await connection.readResponse();
    await connection.closed();
    expect([status, JSON.parse(body)]).toEqual([502, expect.objectContaining({ code: 'upstream_unreachable' })]);
    expect(head).toMatch(/^x-ratelimit-remaining: 999$/im);
  });

  test('uses another target if one is unreachable, and avoids the unreachable one for a while', async () => {
    const [service, gone] = [await httpService(), await httpService()];
    opened.push(() => service.close());
    await gone.close();
    const gateway = await startGatewayWithUpstreams([contractTarget(gone.url, service.url)]);
    opened.push(() => gateway.stop());
    const first = await open(gateway);
    // The working target has an open tunnel, so the closed target is tried first.
    const masked = '\x81\x82\0\0\0\0hi';
    const second = new RawConnection(gateway.url).send(handshake(gateway.demoKey) + masked);
    expect((await second.until(/hi$/)).slice(-8)).toBe('\r\n\r\n\x81\x02hi');
    const third = await open(gateway);
    expect([await first.echo('one'), await third.echo('three')]).toEqual(['one', 'three']);
    expect(gateway.logs.filter((line) => line.includes('target unreachable'))).toHaveLength(1);
    second.close();
    await Promise.all([first, third].map(({ socket, closed }) => (socket.close(), closed)));
  });

  test('to a target that accepts no connection in time gets a 504 or uses another target', async () => {
    const [silent, service] = [await silentServer(), await httpService()];
    opened.push(() => service.close());
    const timeouts = { connect: '200ms', response: '50s' };
    const alone = await startGatewayWithUpstreams([{ ...contractTarget(silent), timeouts }]);
    opened.push(() => alone.stop());
    const connection = new RawConnection(alone.url).send(handshake(alone.demoKey));
    const { status, body } = await connection.readResponse();
    expect([status, JSON.parse(body)]).toEqual([504, expect.objectContaining({ code: 'upstream_timeout' })]);
    connection.close();

    // The last target is tried first.
    const gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url, silent), timeouts }]);
    opened.push(() => gateway.stop());
    const { socket, closed, echo } = await open(gateway);
    expect(await echo('hello')).toBe('hello');
    expect(gateway.logs.filter((line) => line.includes('target unreachable'))).toHaveLength(1);
    socket.close();
    await closed;
  });

  test('to a service that does not respond gets a 504', async () => {
    const silent = await withUpgrade(() => undefined);
    const gateway = await startGatewayWithUpstreams([
      { ...contractTarget(silent.url), timeouts: { response: '200ms' } },
    ]);
    opened.push(() => gateway.stop());
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    expect((await connection.readResponse()).status).toBe(504);
    connection.close();
  });

  test('ends on both sides when one side ends it', async () => {
    let serviceSocket: Duplex | undefined;
    const target = await withUpgrade((_, socket) => {
      serviceSocket = socket;
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('error', () => undefined).resume();
    });
    const gateway = await gatewayTo(target.url);
    const first = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    await first.until(/\r\n\r\n/);
    serviceSocket?.destroy();
    await first.closed();
    const second = new RawConnection(gateway.url).send(handshake(gateway.demoKey));
    await second.until(/\r\n\r\n/);
    const gone = new Promise((resolve) => serviceSocket?.once('end', resolve));
    second.close();
    await gone;
  });

  test('to a module without upgrades gets a 501', async () => {
    const gateway = await startGatewayWithUpstreams([
      {
        name: 'petstore',
        openapi: join(root, 'config/petstore.openapi.yaml'),
        module: join(root, 'src/petstore/upstream.ts'),
        options: { database: 'petstore.db' },
      },
    ]);
    opened.push(() => gateway.stop());
    const connection = new RawConnection(gateway.url).send(handshake(gateway.demoKey, '/pets'));
    const { status, body } = await connection.readResponse();
    connection.close();
    expect([status, JSON.parse(body)]).toEqual([501, expect.objectContaining({ code: 'upgrade_not_supported' })]);
  });
});

/** Starts a server that accepts connections, but never begins a TLS handshake. Returns its URL. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service with a custom handler of upgrades. */
async function withUpgrade(onUpgrade: (req: IncomingMessage, socket: Duplex) => void): Promise<HttpService> {
  const server = createServer();
  const sockets = new Set<Duplex>();
  server.on('upgrade', (req, socket) => {
    sockets.add(socket);
    onUpgrade(req, socket);
  });
  const service = await listening(server);
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    return service.close();
  });
  return service;
}
