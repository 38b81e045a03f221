import type * as Http from 'node:http';
import * as https from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './reloaded-certificate.ts';
import { StartError } from '../base/error-types.ts';

/**
 * The module `node:http`. It is not imported, because an import reads all exports, and reading one of them (`WebSocket`)
 * loads Node's `fetch`. That would add 30 ms to every start, and the gateway does not use it.
 */
export const http = createRequire(import.meta.url)('node:http') as typeof Http;

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
 * @param certificate null for a server without TLS
 * @param listener called with every request
 */
export function createHttpServer<Response extends typeof Http.ServerResponse<Http.IncomingMessage>>(
  options: Http.ServerOptions<typeof Http.IncomingMessage, Response>,
  certificate: Certificate | null,
  listener: Http.RequestListener<typeof Http.IncomingMessage, Response>,
): Http.Server<typeof Http.IncomingMessage, Response> {
  if (certificate === null) return withErrorListener(http.createServer(options, listener));
  const tls = { minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true } as const;
  const server = https.createServer(
    {
      ...options,
      ...tls,
      ...certificate.pair,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // Without TLS, this is the default: a client may end its side of the connection and still get its response.
      allowHalfOpen: true,
    } as https.ServerOptions<typeof Http.IncomingMessage, Response>,
    listener,
  );
  trackHandshakes(server);
  // Connections that are already open keep the old certificate.
  certificate.onRenewed((pair) => server.setSecureContext({ ...tls, ...pair }));
  return withErrorListener(server);
}

/** Prevents an `error` event from ending the process. `listen` has its own listener for errors of the start. */
function withErrorListener<Server extends Http.Server>(server: Server): Server {
  return server.on('error', () => {});
}

/** For each server, its sockets that are in the middle of a TLS handshake, by the client's address and port. */
const handshakesByServer = new WeakMap<Http.Server, Map<string, Socket>>();

function trackHandshakes(server: https.Server): void {
  const sockets = new Map<string, Socket>();
  handshakesByServer.set(server, sockets);
  const formatPeer = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const name = formatPeer(socket);
    sockets.set(name, socket);
    socket.once('close', () => {
      if (sockets.get(name) === socket) sockets.delete(name);
    });
  });
  server.on('secureConnection', (socket) => sockets.delete(formatPeer(socket)));
}

/**
 * Ends the connections that are in the middle of a TLS handshake. Node's server waits for them when it is closed, but
 * `Connections` does not know them.
 */
export function endHandshakes(server: Http.Server): void {
  for (const socket of handshakesByServer.get(server)?.values() ?? []) socket.destroy();
}

/** Whether a server speaks TLS. */
function isSecure(server: Http.Server): boolean {
  return server instanceof https.Server;
}

/**
 * Finds the name of the event with which a server accepts a connection. Whoever emits this event with a socket of its
 * own gets that socket served like any other.
 */
export function findConnectionEvent(server: Http.Server): 'connection' | 'secureConnection' {
  return isSecure(server) ? 'secureConnection' : 'connection';
}

interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The environment variable that sets the port, for error messages. */
  readonly portVariable: string;
  /**
   * Lets other processes with the same option listen on the same port (Linux only). The system distributes the
   * connections.
   */
  readonly reusePort?: boolean;
}

/**
 * @returns the URL of the server
 * @throws StartError if the server cannot listen
 */
export async function listen(
  server: Http.Server,
  { host, port, portVariable, reusePort = false }: ListenerOptions,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(error, host, port, portVariable)));
    server.listen({ port, host, reusePort }, resolve);
  });
  return formatUrl(server);
}

/** Formats the URL at which a server can be reached from this machine. */
export function formatUrl(server: Http.Server): string {
  const address = server.address() as AddressInfo;
  const isAnyAddress = address.address === '0.0.0.0' || address.address === '::';
  const name = isAnyAddress ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isSecure(server) ? 'https' : 'http'}://${name}:${address.port}`;
}

function toStartError(error: NodeJS.ErrnoException, host: string, port: number, variable: string): Error {
  const hostAndPort = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return new StartError(`${hostAndPort} is in use by another process: stop it, or set ${variable} to another port`);
  }
  if (error.code === 'EACCES') {
    return new StartError(
      `${hostAndPort} needs privileges that this user does not have: set ${variable} to a port above 1023`,
    );
  }
  if (error.code === 'ENOTSUP') {
    return new StartError(`${hostAndPort} cannot be shared on this system: edge.reusePort needs Linux 3.9 or newer`);
  }
  return new StartError(
    `cannot listen on ${hostAndPort} (${error.message}): check ${variable} and ${variable.replace('PORT', 'HOST')}`,
  );
}
