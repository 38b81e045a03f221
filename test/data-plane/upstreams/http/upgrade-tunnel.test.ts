import { afterEach, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { createHttpUpgrade } from '../../../../src/data-plane/upstreams/http/http-upgrade.ts';
import { Target } from '../../../../src/data-plane/upstreams/http/target.ts';
import { NO_RULES } from '../../../../src/data-plane/responses/merge-headers.ts';
import { Tunnel } from '../../../../src/data-plane/websocket/tunnel.ts';
import { GOING_AWAY } from '../../../../src/data-plane/websocket/frames.ts';
import { targetOptions } from '../../../support/services/target-options.ts';
import { RawConnection } from '../../../support/raw.ts';
import { listening } from '../../../support/services/http-service.ts';

/*
 * A tunnel replaces `write` and `end` of the consumer's socket, so that it sees everything that an upstream writes. An
 * upgrade over HTTP once restored the original `end`, so data that was written with it bypassed the tunnel, even after
 * a close frame.
 */

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

const HANDSHAKE =
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

test('a tunnel over HTTP also receives data written with `end`', async () => {
  const service = createServer().on('upgrade', (_req, socket) => {
    closes.push(() => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  const { url, close } = await listening(service);
  closes.push(close);
  const target = new Target(url, targetOptions, buildConnector({}));
  closes.push(() => target.close());
  const httpUpgrade = createHttpUpgrade('service', target, (headers) => [...headers], {
    idleMs: 5000,
    isOwnHost: true,
    maxResponseHeader: 16_384,
  });

  const gateway = createServer();
  const opened = new Promise<Tunnel>((resolve, reject) => {
    gateway.on('upgrade', (req, socket: Socket, head) => {
      closes.push(() => socket.destroy());
      const tunnel = new Tunnel(socket, head);
      tunnel.handOver([], NO_RULES, () => undefined);
      const request = { req, url: '/', headers: [...req.rawHeaders], timeoutMs: null, trace: null };
      const decline = () => {
        throw new Error('it is an upgrade');
      };
      httpUpgrade(request, { socket, head, decline }, 5000).then(() => resolve(tunnel), reject);
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  closes.push(() => gateway.close());
  const consumer = new RawConnection(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`).send(HANDSHAKE);
  await consumer.until(/\r\n\r\n/);

  const tunnel = await opened;
  tunnel.close(GOING_AWAY);
  tunnel.socket.end('\x81\x04late');
  expect(await consumer.closed()).not.toContain('late');
});
