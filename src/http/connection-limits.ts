import type { Server } from 'node:http';
import { type DropArgument, Socket } from 'node:net';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../base/time.ts';
import { toNetwork } from './addresses.ts';
import type { Connections } from './connections.ts';

/** Maximum number of open client connections. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum per IPv4 address or IPv6 /64. Trusted proxies are exempt. Undefined: no limit per address. */
  readonly maxConnectionsPerAddress?: number | undefined;
}

interface ConnectionLimitOptions {
  readonly limits: ConnectionLimits;
  /** The section of the configuration that has the limits. */
  readonly section: string;
  /** Trusted proxies are exempt, because they carry the connections of many clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly logger: Logger;
  /** Called for each connection that is closed because of the limit per address. */
  readonly onRejected?: () => void;
}

/** Minimum time between two warnings, so that an attack does not fill the log. */
const WARN_EVERY_MS = MINUTE_MS;

/** Closes connections above the limits as soon as they are accepted, before a TLS handshake. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { limits, section, isTrustedProxy, logger, onRejected: onTurnedAway } = options;
  const { maxConnections, maxConnectionsPerAddress: maxPerAddress } = limits;
  server.maxConnections = maxConnections;
  const warnOfTotal = throttleWarning((address: string | undefined) =>
    logger.warn(
      { address, limit: maxConnections, setting: `${section}.maxConnections` },
      'connections rejected: too many',
    ),
  );
  server.on('drop', (dropped?: DropArgument) => warnOfTotal(dropped?.remoteAddress));
  if (maxPerAddress === undefined) return;

  const openByNetwork = new Map<string, number>();
  const warnOfAddress = throttleWarning((address: string | undefined) =>
    logger.warn(
      { address, limit: maxPerAddress, setting: `${section}.maxConnectionsPerAddress` },
      'connections rejected: too many from one address. If it is a proxy, add it to trustedProxies',
    ),
  );
  // Connections within this process are not sockets. The portal emits the event for them itself.
  server.on('connection', (socket: unknown) => {
    if (!(socket instanceof Socket)) return;
    const { remoteAddress } = socket;
    // The address is undefined if the connection was closed before it was accepted.
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return;
    const network = toNetwork(remoteAddress);
    const openCount = openByNetwork.get(network) ?? 0;
    if (openCount >= maxPerAddress) {
      socket.destroy();
      warnOfAddress(remoteAddress);
      onTurnedAway?.();
      return;
    }
    openByNetwork.set(network, openCount + 1);
    socket.once('close', () => {
      const remainingCount = (openByNetwork.get(network) ?? 1) - 1;
      if (remainingCount === 0) openByNetwork.delete(network);
      else openByNetwork.set(network, remainingCount);
    });
  });
}

/** Calls `warn` at most once a minute. */
function throttleWarning(warn: (address: string | undefined) => void): (address: string | undefined) => void {
  let lastMs = -Infinity;
  return function warnSparsely(address) {
    const now = performance.now();
    if (now - lastMs < WARN_EVERY_MS) return;
    lastMs = now;
    warn(address);
  };
}

/** Time between two checks of the connections. */
const CHECK_MS = 1000;

/**
 * Closes the connections of clients that do not read their responses or WebSocket messages. This costs requests nothing:
 * connections are checked once a second, and the socket's own timer runs only while data waits to be sent. Any progress
 * resets the timer.
 *
 * @param timeoutMs how long a client may read nothing
 */
export function limitWriteStalls(server: Server, connections: Connections, timeoutMs: number): void {
  const watchedSockets = new WeakSet<Socket>();

  function check(): void {
    for (const connection of connections.list()) {
      const { socket } = connection;
      if (socket.writableLength > 0) {
        if (!watchedSockets.has(socket)) watch(socket);
      } else if (watchedSockets.delete(socket)) {
        socket.off('timeout', destroyIfStalled);
        // On an idle connection, Node itself uses the timeout to end the keep-alive.
        if (connection.isBusy) socket.setTimeout(0);
      }
    }
  }

  function watch(socket: Socket): void {
    watchedSockets.add(socket);
    socket.setTimeout(timeoutMs);
    socket.on('timeout', destroyIfStalled);
  }

  // Unref'd, because a server that never listens never emits `close`.
  const timer = setInterval(check, CHECK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

function destroyIfStalled(this: Socket): void {
  if (this.writableLength > 0) this.destroy();
}
