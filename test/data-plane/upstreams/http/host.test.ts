/** The setting `host` determines which `Host` the service gets. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { TestAuthority } from '../../../support/servers/certificates.ts';
import { serveHttp } from '../../../support/services/http-service.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function startGateway(upstream: object): Promise<TestGateway> {
  const gateway = await startGatewayWithUpstreams([upstream]);
  opened.push(() => gateway.stop());
  return gateway;
}

/** Sends a request with this Host, and returns the head of the response. */
async function send(gateway: TestGateway, host: string, more = ''): Promise<string> {
  const connection = new RawConnection(gateway.url);
  connection.send(`GET /echo HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${gateway.demoKey}\r\n${more}\r\n`);
  const head = await connection.until(/\r\n\r\n/);
  connection.close();
  return head;
}

const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const OTHER = 'shop.example.com:81';

describe.each([
  ['the default', undefined, 'TARGET'],
  ['target', 'target', 'TARGET'],
  ['client', 'client', OTHER],
  ['a name', 'api.internal:8443', 'api.internal:8443'],
])('with %s as the host setting', (_, host, expected) => {
  test('requests, WebSocket handshakes and health checks have the right Host', async () => {
    const seen = new Map<string, string[]>();
    const note = (url: string, { rawHeaders }: IncomingMessage) => {
      const all = rawHeaders.filter((__, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1);
      seen.set(url, all);
    };
    const service = await serveHttp((req, res) => {
      note(req.url ?? '', req);
      res.end();
    });
    service.server.on('upgrade', (req, socket) => {
      note('upgrade', req);
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    opened.push(() => service.close());
    const gateway = await startGateway({
      ...contractTarget(service.url),
      ...(host === undefined ? {} : { host }),
      health: { path: '/healthz', every: '1s' },
    });
    const target = new URL(service.url).host;
    const named = expected === 'TARGET' ? target : expected;
    expect(await send(gateway, OTHER)).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen.get('/echo')).toEqual([named]);
    expect(await send(gateway, OTHER, HANDSHAKE)).toMatch(/^HTTP\/1\.1 101 /);
    expect(seen.get('upgrade')).toEqual([named]);
    await until(() => seen.has('/healthz'));
    expect(seen.get('/healthz')).toEqual([expected === OTHER ? target : named]);
  });
});

test('with TLS, the certificate must match the target, and one connection serves all hosts', async () => {
  const folder = tempFolder();
  opened.push(() => folder.remove());
  const authority = new TestAuthority(folder.path);
  const own = authority.issue('service');
  const hosts: unknown[] = [];
  let connections = 0;
  const server = createServer({ cert: readFileSync(own.cert), key: readFileSync(own.key) }, (req, res) => {
    hosts.push(req.headers.host);
    res.end();
  });
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const gateway = await startGateway({ ...contractTarget(url), host: 'client', tls: { ca: authority.cert } });
  for (const host of ['a.example.com', 'b.example.com', '10.0.0.1', '[::1]:8080']) {
    expect(await send(gateway, host)).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(hosts).toEqual(['a.example.com', 'b.example.com', '10.0.0.1', '[::1]:8080']);
  expect(connections).toBe(1);
});
