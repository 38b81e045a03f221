/**
 * The attack: one machine opens as many connections as a listener accepts, and sends very slowly on each, so that
 * operators and consumers cannot connect. So an address gets only a share of the connections, and slow clients are
 * disconnected.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiServer } from '../../src/control-plane/api-server/server.ts';
import { listen } from '../../src/http/http-server.ts';
import { petstore, root, startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { startReloadingGateway, type ReloadingGateway } from '../support/gateway/reloading-gateway.ts';
import { captureLog } from '../support/log-lines.ts';
import { until } from '../support/until.ts';
import { RawConnection } from '../support/raw.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LIMITS = { maxConnections: 30, maxConnectionsPerAddress: 5 };
/** An address that looks like another machine to a server. */
const OTHER = '127.0.0.2';

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Opens connections that each send only the beginning of a request. */
async function openSlowConnections(url: string, count: number): Promise<Socket[]> {
  const { protocol, hostname: host, port } = new URL(url);
  const to = { host, port: Number(port), rejectUnauthorized: false };
  const sockets = Array.from({ length: count }, () => (protocol === 'https:' ? connectSecurely(to) : connect(to)));
  opened.push(...sockets);
  // A rejected connection may be reset.
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await Promise.all(sockets.map(async (socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  return sockets;
}

const stillOpen = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length;

/** Finds the status of a request over a new connection. Null if the connection is rejected. */
function statusFrom(url: string, localAddress: string): Promise<number | null> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const sent = send(url, { localAddress, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', () => resolve(null));
    sent.end();
  });
}

const LISTENERS = ['admin', 'portal', 'edge'] as const;

function findUrl(gateway: TestGateway, listener: (typeof LISTENERS)[number]): string {
  if (listener === 'admin') return `${gateway.adminUrl}/livez`;
  return listener === 'portal' ? `${gateway.portalUrl}/api/site` : `${gateway.url}/pets`;
}

describe.each(['plain', 'TLS'])('one address, over %s', (kind) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const tls = kind === 'TLS' ? { tls: new TestAuthority(temporaryDirectory()).issue('limits') } : {};
    const portal = { enabled: true, ...LIMITS };
    gateway = await startTestGateway({ settings: { ...tls, admin: LIMITS, portal, edge: LIMITS } });
  });
  afterAll(() => gateway.stop());

  test.each(LISTENERS)('cannot take all connections of the %s listener', async (listener) => {
    const url = findUrl(gateway, listener);
    const sockets = await openSlowConnections(url, LIMITS.maxConnections + 10);
    await until(() => stillOpen(sockets) === LIMITS.maxConnectionsPerAddress);
    expect(await statusFrom(url, OTHER)).toBe(listener === 'edge' ? 401 : 200);
    expect(await statusFrom(url, '127.0.0.1')).toBeNull();
    // After one of its connections is closed, the address can open another one.
    sockets.find(({ closed }) => !closed)?.destroy();
    await until(async () => (await statusFrom(url, '127.0.0.1')) !== null);
    const warnings = gateway.logs.filter((line) => line.includes(`${listener}.maxConnectionsPerAddress`));
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, address: '127.0.0.1', limit: LIMITS.maxConnectionsPerAddress }),
    ]);
  });

  test('has its rejected connections counted in the metrics', async () => {
    const { body } = await new Promise<{ body: string }>((resolve, reject) => {
      const send = kind === 'TLS' ? secureRequest : request;
      const sent = send(`${gateway.adminUrl}/metrics`, { agent: false, rejectUnauthorized: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ body: text }));
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(Number(/^tollgate_connections_dropped_total (\d+)$/m.exec(body)?.[1])).toBeGreaterThanOrEqual(35);
  });
});

describe('a trusted proxy', () => {
  let gateway: ReloadingGateway;
  const settings = (trustedProxies: string[]) => ({
    plans: join(root, 'config/plans.yaml'),
    upstreams: [petstore],
    portal: { enabled: true, ...LIMITS },
    trustedProxies,
  });
  beforeAll(async () => {
    gateway = await startReloadingGateway(() => ({ settings: settings(['127.0.0.0/31']) }));
  });
  afterAll(() => gateway.stop());

  test('can use all connections of the listener for its clients', async () => {
    const url = findUrl(gateway, 'portal');
    const sockets = await openSlowConnections(url, LIMITS.maxConnections + 3);
    await until(() => stillOpen(sockets) === LIMITS.maxConnections);
    expect(await statusFrom(url, OTHER)).toBeNull();
    expect(gateway.logs.filter((line) => line.includes('portal.maxConnections'))).toHaveLength(1);
  });

  test('has the limit of other addresses once a reload no longer trusts it', async () => {
    gateway.configure(settings([]));
    expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: ['trustedProxies'] } });
    const sockets = await openSlowConnections(findUrl(gateway, 'portal'), LIMITS.maxConnections);
    await until(() => stillOpen(sockets) === LIMITS.maxConnectionsPerAddress);
  });
});

describe('a slow client of an API', () => {
  const { logger } = captureLog();
  const timeouts = { headersMs: 300, requestMs: 600, writeMs: 300 };
  const body = Buffer.alloc(50_000_000, 'x');
  const api = createApiServer({
    section: 'portal',
    limits: LIMITS,
    isTrustedProxy: () => false,
    clock: Date.now,
    logger,
    timeouts,
  });
  let url = '';
  beforeAll(async () => {
    api.use(() => (req, res) => {
      if (req.url === '/large') res.end(body);
      else req.resume().once('end', () => res.end('ok'));
    });
    url = await listen(api.server, { host: '127.0.0.1', port: 0, portVariable: 'TOLLGATE_PORTAL_PORT' });
  });
  afterAll(() => api.drain(0));

  test.each([
    ['sends nothing', ''],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['never ends its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n'],
  ])('that %s is disconnected', async (_, bytes) => {
    const connection = new RawConnection(url);
    if (bytes !== '') connection.send(bytes);
    const drip = setInterval(() => bytes !== '' && !connection.ended && connection.send('x'), 50);
    expect(await connection.closed()).toMatch(/^(?:HTTP\/1\.1 408 [^]*"code":"request_timeout"[^]*)?$/);
    clearInterval(drip);
    connection.close();
  });

  test('that does not read its response is disconnected', async () => {
    const { socket } = new RawConnection(url).send('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.pause();
    const sockets = await new Promise<number>((resolve) => {
      const check = setInterval(() => {
        api.server.getConnections((_error, count) => {
          if (count > 0) return;
          clearInterval(check);
          resolve(count);
        });
      }, 50);
    });
    expect(sockets).toBe(0);
    socket.destroy();
  });
});
