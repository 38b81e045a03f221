import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { petstore, startTestGateway } from '../../../support/gateway/gateway.ts';
import { until } from '../../../support/until.ts';
import { TestAuthority, type TestCertificate } from '../../../support/servers/certificates.ts';
import { RawConnection } from '../../../support/raw.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A service that requires a client certificate of its CA and responds with the name in it. */
const folder = tempFolder();
let authority: TestAuthority;
let first: TestCertificate;
let second: TestCertificate;
let service: Server;
let url: string;

beforeAll(async () => {
  authority = new TestAuthority(folder.path);
  const own = authority.issue('service');
  [first, second] = [authority.issue('first'), authority.issue('second')];
  service = createServer(
    {
      cert: readFileSync(own.cert),
      key: readFileSync(own.key),
      ca: readFileSync(authority.cert),
      requestCert: true,
      rejectUnauthorized: true,
    },
    // The service closes each connection, so that each request uses a new one.
    (req, res) => {
      res.setHeader('Connection', 'close');
      res.end(String((req.socket as TLSSocket).getPeerCertificate().subject.CN));
    },
  );
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
  folder.remove();
});

const start = (tls: object | undefined) =>
  startTestGateway({ settings: { upstreams: [{ name: 'pets', openapi: petstore.openapi, targets: [url], tls }] } });

test('the newest client certificate is used for a service whose certificate has a private authority', async () => {
  const files = { cert: join(folder.path, 'live.pem'), key: join(folder.path, 'live-key.pem') };
  const take = (from: TestCertificate) => {
    copyFileSync(from.key, files.key);
    copyFileSync(from.cert, files.cert);
  };
  take(first);
  const gateway = await start({ ca: authority.cert, ...files });
  try {
    const name = async () => (await gateway.call('/pets')).text();
    expect(await name()).toBe('first');
    take(second);
    // Fewer calls than the limit of a Free key.
    await until(async () => {
      await sleep(500);
      return (await name()) === 'second';
    });
  } finally {
    await gateway.stop();
  }
});

test('a WebSocket uses the same certificates as requests', async () => {
  service.on('upgrade', (req, socket) => {
    const { CN } = (req.socket as TLSSocket).getPeerCertificate().subject;
    socket.on('error', () => undefined);
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05${String(CN)}`,
    );
  });
  const gateway = await start({ ca: authority.cert, ...first });
  try {
    const handshake = `GET /pets HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const connection = new RawConnection(gateway.url).send(handshake);
    expect(await connection.until(/first$/)).toMatch(/^HTTP\/1\.1 101 /);
    connection.close();
  } finally {
    service.removeAllListeners('upgrade');
    await gateway.stop();
  }
});

test.each([
  ['an unknown authority', () => undefined],
  ['a missing client certificate', () => ({ ca: authority.cert })],
])('with %s, a call gets a 502', async (_, tls) => {
  const gateway = await start(tls());
  try {
    const response = await gateway.call('/pets');
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      502,
      'upstream_unreachable',
    ]);
  } finally {
    await gateway.stop();
  }
});

test('an unusable certificate or key, or one without the other, is reported as a configuration error', async () => {
  await expect(start({ ca: join(folder.path, 'nothing.pem') })).rejects.toThrow(/cannot be read/);
  await expect(start({ cert: first.cert, key: second.key })).rejects.toThrow(/belong together/);
  await expect(start({ cert: first.cert })).rejects.toThrow(/must have both cert and key, or neither/);
});

test('a reload applies a changed authority', async () => {
  const otherFolder = tempFolder();
  const ca = join(otherFolder.path, 'live-authority.pem');
  copyFileSync(new TestAuthority(otherFolder.path).cert, ca);
  const gateway = await start({ ca, ...first });
  try {
    expect((await gateway.call('/pets')).status).toBe(502);
    copyFileSync(authority.cert, ca);
    const reloaded = await gateway.admin('/v1/config/reload', { method: 'POST' });
    expect(await reloaded.json()).toMatchObject({ changed: ['upstreams.pets.tls.ca'], restart: [] });
    expect(await (await gateway.call('/pets')).text()).toBe('first');
    const again = await gateway.admin('/v1/config/reload', { method: 'POST' });
    expect(await again.json()).toMatchObject({ changed: [] });
  } finally {
    await gateway.stop();
    otherFolder.remove();
  }
});
