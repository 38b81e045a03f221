/**
 * The attack: cookies ignore ports, so a service that a browser calls through the gateway can set the cookies of the
 * console and the portal on the same host. The next user who opens one of these is then in the attacker's session.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../support/gateway/gateway.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../support/raw.ts';
import { createService, OTHERS, TRICKS, WAYS } from '../support/services/cookie-service.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';

const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

describe.each(['HTTP', 'in process'])('a service that sets cookies: %s', (kind) => {
  let service: HttpService;
  let gateway: TestGateway;
  beforeAll(async () => {
    const { handler, upgrade } = createService();
    service = await serveHttp(handler);
    service.server.on('upgrade', upgrade);
    const module = join(root, 'test/support/services/cookie-service.ts');
    const inProcess = { name: 'contract', openapi: contractDocument, module };
    gateway = await startGatewayWithUpstreams([kind === 'HTTP' ? contractTarget(service.url) : inProcess]);
  });
  afterAll(async () => {
    await gateway.stop();
    await service.close();
  });

  const ask = async (way: string, headers: string) => {
    const connection = new RawConnection(gateway.url);
    const head = `GET /echo/${encodeURIComponent(way)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}`;
    connection.send(`${head}\r\n${headers}\r\n\r\n`);
    // Only an upgrade leaves the connection open, so close it.
    await connection.until(/^HTTP\/1\.1 101 [^]*\r\n\r\n/);
    connection.close();
    return connection.received;
  };
  const listCookies = (text: string) =>
    [...text.matchAll(/^set-cookie\s*:\s*(.*?)\s*$/gim)].map(([, value = '']) => value);

  test.each(WAYS)('by %s keeps its own cookies, and cannot set those of the console and the portal', async (way) => {
    const response = await ask(way, 'TE: trailers\r\nConnection: close');
    expect(response).toMatch(/HTTP\/1\.1 200 /);
    expect(listCookies(response)).toEqual(way === 'setHeader, one' ? [] : OTHERS);
    expect(response).not.toMatch(/x{43}|forged/);
  });

  test('an upgrade keeps its own cookies, and cannot set those of the console and the portal', async () => {
    const response = await ask('plain', HANDSHAKE);
    expect(response).toMatch(/^HTTP\/1\.1 101 /);
    expect(listCookies(response)).toEqual(OTHERS);
  });

  test('cannot set those cookies in the response to a refused upgrade either', async () => {
    const response = await ask('refused', HANDSHAKE);
    expect(response).toMatch(/^HTTP\/1\.1 418 /);
    expect(listCookies(response)).toEqual(OTHERS);
  });

  if (kind === 'HTTP') return;

  // Contrary to RFC 9112, browsers read each of these heads as having a separate `Set-Cookie`.
  test.each([...TRICKS, 'interim'])(
    'cannot set those cookies in an upgrade with unusual headers either: %s',
    async (way) => {
      const response = await ask(way, HANDSHAKE);
      expect(response).toMatch(/^HTTP\/1\.1 101 [^]*\r\nX-Request-Id: /i);
      expect(listCookies(response)).toEqual(OTHERS);
      expect(response.replaceAll('\r\n', '')).not.toMatch(/[\r\n]|x{43}/);
    },
  );
});
