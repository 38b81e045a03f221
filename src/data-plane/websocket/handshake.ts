import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '../../http/linger.ts';
import { GatewayResponse } from '../answers/response.ts';
import { readOffer } from './subprotocols.ts';
import { Tunnel } from './tunnel.ts';

/**
 * Only a WebSocket handshake without a body counts as an upgrade. Any other request for one is an ordinary request, and
 * its `Upgrade` is not passed on.
 */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Creates the response that Node does not provide for an upgrade. With it, a refusal takes the same path as for any
 * other request; then the connection is closed.
 */
export function beginHandshake(
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): { res: GatewayResponse; tunnel: Tunnel } {
  const res = new GatewayResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // A reset is handled like any other end of the connection.
  socket.on('error', () => socket.destroy());
  // Node has detached the connection: nothing else would resume a response that waits to be written.
  socket.on('drain', () => res.emit('drain'));
  res.once('finish', () => {
    res.detachSocket(socket);
    closeLingering(socket);
    res.emit('close');
  });
  // Neither end of a tunnel waits for the other to finish.
  Reflect.deleteProperty(socket, 'destroySoon');
  return { res, tunnel: new Tunnel(socket, head, readOffer(req.rawHeaders)) };
}
