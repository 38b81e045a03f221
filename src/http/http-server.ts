import type * as Http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { http } from './node-http.ts';
import type { Certificate } from '../base/tls/renewing-certificate.ts';

/** Forward secrecy and authenticated encryption only: Mozilla's "intermediate" configuration, version 5.7. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * @param certificate null: without TLS
 * @param listener called with every request
 */
export function createHttpServer<Response extends typeof Http.ServerResponse<Http.IncomingMessage>>(
  options: Http.ServerOptions<typeof Http.IncomingMessage, Response>,
  certificate: Certificate | null,
  listener: Http.RequestListener<typeof Http.IncomingMessage, Response>,
): Http.Server<typeof Http.IncomingMessage, Response> {
  if (certificate === null) return http.createServer(options, listener);
  const tls = { minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true } as const;
  const server = https.createServer(
    {
      ...options,
      ...tls,
      ...certificate.pair,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // As without TLS: a client that has sent all it has still reads its answer.
      allowHalfOpen: true,
    } as https.ServerOptions<typeof Http.IncomingMessage, Response>,
    listener,
  );
  followHandshakes(server);
  // Open connections keep what they have agreed on.
  certificate.onRenewed((pair) => server.setSecureContext({ ...tls, ...pair }));
  return server;
}

/** By server, and by the client's address and port. */
const handshakes = new WeakMap<Http.Server, Map<string, Socket>>();

function followHandshakes(server: https.Server): void {
  const sockets = new Map<string, Socket>();
  handshakes.set(server, sockets);
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    sockets.set(name, socket);
    socket.once('close', () => {
      if (sockets.get(name) === socket) sockets.delete(name);
    });
  });
  server.on('secureConnection', (socket) => sockets.delete(nameOf(socket)));
}

/** Ends the connections whose handshake is not over: a server that is being closed waits for them, but does not name them. */
export function endHandshakes(server: Http.Server): void {
  for (const socket of handshakes.get(server)?.values() ?? []) socket.destroy();
}

/** Whether a server speaks TLS. */
export function isSecure(server: Http.Server): boolean {
  return server instanceof https.Server;
}

/** The event with which a server gets the sockets of its requests; one that is emitted by hand is served like any other. */
export function connectionEvent(server: Http.Server): 'connection' | 'secureConnection' {
  return isSecure(server) ? 'secureConnection' : 'connection';
}
