import { afterEach, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { serveHttp } from '../../../support/services/http-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { startRecorder, type Recorder } from '../../../support/services/recorder.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function gatewayTo(targets: string[], more: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startGatewayWithUpstreams([{ ...contractTarget(...targets), ...more }]);
  opened.push(() => gateway.stop());
  return gateway;
}

async function recorder(): Promise<Recorder> {
  const started = await startRecorder();
  opened.push(() => started.close());
  return started;
}

/** A TCP server with a custom handler of connections. */
async function rawTarget(onConnection: (socket: Socket) => void): Promise<{ url: string; server: NetServer }> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Returns a URL at which nothing listens. */
async function nowhere(): Promise<string> {
  const { url, close } = await startRecorder();
  await close();
  return url;
}

const readBody = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) });

describe('a request to the service', () => {
  test('has the base path of the target, its Host, and the configured headers', async () => {
    const target = await recorder();
    const headers = { 'X-Upstream-Secret': 'abc', 'X-Consumer-Plan': 'always' };
    const gateway = await gatewayTo([`${target.url}/base/`], { headers });
    await gateway.call('/echo/1?x=1');
    const [seen] = target.take();
    expect(seen?.url).toBe('/base/echo/1?x=1');
    const raw = seen?.rawHeaders ?? [];
    const findValues = (name: string) => raw.filter((_, index) => raw[index - 1]?.toLowerCase() === name);
    expect(findValues('host')).toEqual([new URL(target.url).host]);
    expect(findValues('x-upstream-secret')).toEqual(['abc']);
    expect(findValues('x-consumer-plan')).toEqual(['always']);
  });

  test('does not have the upstream’s prefix', async () => {
    const [one, two] = [await recorder(), await recorder()];
    const openapi = join(temporaryDirectory(), 'one.yaml');
    // The ids of operations must be unique, so change them in the second document.
    writeFileSync(openapi, readFileSync(contractDocument, 'utf8').replaceAll('operationId: ', 'operationId: one-'));
    const first = { ...contractTarget(one.url), name: 'one', prefix: '/one', openapi };
    const gateway = await startGatewayWithUpstreams([first, { ...contractTarget(two.url), name: 'two' }]);
    opened.push(() => gateway.stop());
    for (const path of ['/one/echo/1', '/echo/2', '/%6Fne/echo/3']) expect((await gateway.call(path)).status).toBe(200);
    expect((await gateway.call('/two/echo')).status).toBe(404);
    expect(one.take().map(({ url }) => url)).toEqual(['/echo/1', '/echo/3']);
    expect(two.take().map(({ url }) => url)).toEqual(['/echo/2']);
  });

  test('uses an existing connection again', async () => {
    const target = await recorder();
    let connections = 0;
    target.server.on('connection', () => connections++);
    const gateway = await gatewayTo([target.url]);
    for (let call = 0; call < 20; call++) await (await gateway.call('/echo')).text();
    expect(connections).toBeLessThanOrEqual(2);
  });
});

describe('a call to a service', () => {
  test('that refuses connections gets a 502', async () => {
    const gateway = await gatewayTo([await nowhere()]);
    const response = await gateway.call('/echo');
    expect(await readBody(response)).toMatchObject({ status: 502, code: 'upstream_unreachable' });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('999999');
    expect(gateway.responses().at(-1)).toMatchObject({ status: 502, reason: 'upstream_unreachable' });
  });

  test('that accepts no connection in time gets a 504', async () => {
    // No route leads to this address, so nothing responds.
    const gateway = await gatewayTo(['http://192.0.2.1'], { timeouts: { connect: '200ms' } });
    expect([502, 504]).toContain((await gateway.call('/echo')).status);
  });

  test('that does not respond in time gets a 504', async () => {
    const target = await rawTarget((socket) => void socket.resume());
    const gateway = await gatewayTo([target.url], { timeouts: { response: '200ms' } });
    expect(await readBody(await gateway.call('/echo'))).toMatchObject({ status: 504, code: 'upstream_timeout' });
  });

  test('that does not read the body in time gets a 504', async () => {
    const target = await rawTarget((socket) => void socket.pause());
    const gateway = await gatewayTo([target.url], { timeouts: { response: '300ms' }, maxBody: '64mb' });
    const response = await gateway.call('/echo', { method: 'POST', body: Buffer.alloc(32_000_000) });
    expect(response.status).toBe(504);
  });

  test.each([
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.7\r\n'],
    ['sends an invalid status', 'HTTP/1.1 99 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['stops within the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['sends malformed headers', 'HTTP/1.1 200 OK\r\nA\0: b\r\n\r\n'],
    [
      'sends 101 without a requested upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
    [
      'sends a Content-Length with chunked',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['sends endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
  ])('that %s gets a 502', async (_, bytes) => {
    const target = await rawTarget((socket) => socket.once('data', () => socket.end(bytes, 'latin1')));
    const gateway = await gatewayTo([target.url]);
    expect(await readBody(await gateway.call('/echo'))).toMatchObject({ status: 502, code: 'upstream_bad_response' });
  });

  test.each([
    ['a body with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
    ['a chunked body', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('that dies within %s ends with a closed connection', async (_, bytes) => {
    const target = await rawTarget((socket) =>
      socket.once('data', () => socket.write(bytes, () => setTimeout(() => socket.destroy(), 20))),
    );
    const gateway = await gatewayTo([target.url]);
    const connection = new RawConnection(gateway.url);
    connection.send(`GET /echo HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
    await connection.until(/abc/);
    const stopwatch = startStopwatch();
    const text = await connection.closed();
    expect(stopwatch.stop()).toBeLessThan(20_000);
    expect(text).not.toMatch(/0\r\n\r\n$/);
    connection.close();
  });

  test('that stalls within a body ends with a closed connection', async () => {
    const target = await rawTarget((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    );
    const gateway = await gatewayTo([target.url], { timeouts: { idle: '200ms' } });
    const connection = new RawConnection(gateway.url);
    connection.send(`GET /echo HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
    expect(await connection.closed()).toMatch(/abc$/);
  });

  test('that ends a body by closing the connection gets the complete body', async () => {
    const target = await rawTarget((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end')),
    );
    const gateway = await gatewayTo([target.url]);
    expect(await (await gateway.call('/echo')).text()).toBe('to the end');
  });
});

describe('a request is retried', () => {
  /** Starts a server that responds to the first request of each connection, and closes the connection at the second. */
  const closesSecond = (requests: string[]) =>
    rawTarget((socket) => {
      let answered = false;
      socket.on('data', (chunk) => {
        requests.push(String(chunk).split('\r\n', 1)[0] ?? '');
        if (answered) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        answered = true;
      });
    });

  test('for a GET over a kept connection that the target was closing', async () => {
    const requests: string[] = [];
    const gateway = await gatewayTo([(await closesSecond(requests)).url]);
    for (const path of ['/echo/1', '/echo/2']) expect((await gateway.call(path)).status).toBe(200);
    expect(requests).toEqual(['GET /echo/1 HTTP/1.1', 'GET /echo/2 HTTP/1.1', 'GET /echo/2 HTTP/1.1']);
  });

  test.each(['POST', 'PUT', 'DELETE'])('not for a %s, because the target may have acted on it', async (method) => {
    const requests: string[] = [];
    const gateway = await gatewayTo([(await closesSecond(requests)).url]);
    expect((await gateway.call('/echo')).status).toBe(200);
    expect((await gateway.call('/echo', { method })).status).toBe(502);
    expect(requests).toHaveLength(2);
  });

  test('not for a GET over a new connection', async () => {
    let connections = 0;
    const target = await rawTarget((socket) => {
      connections++;
      socket.once('data', () => socket.destroy());
    });
    const gateway = await gatewayTo([target.url]);
    expect((await gateway.call('/echo')).status).toBe(502);
    expect(connections).toBe(1);
  });

  test('not after a timeout', async () => {
    let requests = 0;
    const target = await rawTarget((socket) =>
      socket.on('data', () => {
        if (requests++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const gateway = await gatewayTo([target.url], { timeouts: { response: '200ms' } });
    expect((await gateway.call('/echo')).status).toBe(200);
    expect((await gateway.call('/echo')).status).toBe(504);
    expect(requests).toBe(2);
  });
});

describe('several targets', () => {
  test('share the requests', async () => {
    const [one, two] = [await recorder(), await recorder()];
    const gateway = await gatewayTo([one.url, two.url]);
    for (let call = 0; call < 10; call++) expect((await gateway.call('/echo')).status).toBe(200);
    expect([one.take().length, two.take().length]).toEqual([5, 5]);
  });

  test('skip an unreachable target for a while, and no request fails, even with a body', async () => {
    const alive = await recorder();
    const gateway = await gatewayTo([await nowhere(), alive.url]);
    for (let call = 0; call < 6; call++) {
      const response = await gateway.call('/echo', { method: 'POST', body: `body ${call}` });
      expect(response.status).toBe(200);
    }
    expect(alive.take().map(({ body }) => body)).toEqual([0, 1, 2, 3, 4, 5].map((call) => `body ${call}`));
    expect(gateway.logs.filter((line) => line.includes('target unreachable'))).toHaveLength(1);
  });

  test('keep serving with a target that responds with 500', async () => {
    const [one, two] = [await recorder(), await serveHttp(() => Promise.reject(new Error('broken')))];
    opened.push(() => two.close());
    const gateway = await gatewayTo([one.url, two.url]);
    const statuses = [];
    for (let call = 0; call < 4; call++) statuses.push((await gateway.call('/echo')).status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 500, 500]);
  });

  test('are tried even if none is usable', async () => {
    const gateway = await gatewayTo([await nowhere(), await nowhere()]);
    for (let call = 0; call < 4; call++) expect((await gateway.call('/echo')).status).toBe(502);
  });

  test('skip a target that fails its health check until it passes', async () => {
    let healthy = true;
    const sick = await serveHttp((req, res) =>
      res.writeHead(req.url === '/healthz' && !healthy ? 503 : 200).end('sick'),
    );
    const well = await serveHttp((_, res) => res.end('well'));
    opened.push(
      () => sick.close(),
      () => well.close(),
    );
    const gateway = await gatewayTo([sick.url, well.url], { health: { path: '/healthz', every: '50ms' } });
    const responses = async () => {
      const texts = [];
      for (let call = 0; call < 6; call++) texts.push(await (await gateway.call('/echo')).text());
      return new Set(texts);
    };
    /** Sets the result of the health check, and waits until the gateway has noticed. */
    const setHealthy = async (well: boolean) => {
      const before = gateway.logs.length;
      healthy = well;
      const message = well ? 'target healthy' : 'target unhealthy';
      const known = () => gateway.logs.slice(before).some((line) => line.includes(message) && line.includes(sick.url));
      while (!known()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    expect(await responses()).toEqual(new Set(['sick', 'well']));
    await setHealthy(false);
    expect(await responses()).toEqual(new Set(['well']));
    const upstreamNow = async () => {
      const { components } = (await (await gateway.admin('/v1/system')).json()) as { components: { kind: string }[] };
      return components.find(({ kind }) => kind === 'http');
    };
    expect(await upstreamNow()).toMatchObject({
      state: 'degraded',
      cause: `${sick.url} is out of rotation: its health check fails`,
    });
    await setHealthy(true);
    expect(await upstreamNow()).toMatchObject({ state: 'ready', cause: null });
    expect(await responses()).toEqual(new Set(['sick', 'well']));
  });
});
