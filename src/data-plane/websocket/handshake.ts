import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '../../http/linger.ts';
import { GatewayResponse } from '../responses/response.ts';
import { readOffer } from './subprotocols.ts';
import { Tunnel } from './tunnel.ts';

/**
 * Whether a request is a WebSocket handshake without a body. Any other upgrade request is handled as an ordinary request,
 * without its `Upgrade` header.
 */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Creates a response object for a handshake, because Node does not provide one for an upgrade. The gateway can then
 * refuse a handshake like any other request. The connection is closed after the refusal.
 */
export function beginHandshake(
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): { res: GatewayResponse; tunnel: Tunnel } {
  const res = new GatewayResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // Node has removed its own listener. Without one, a reset by the client would end the process.
  socket.on('error', () => socket.destroy());
  // Node has detached the connection, so nothing else would resume a response that is waiting to be written.
  socket.on('drain', () => res.emit('drain'));
  res.once('finish', () => {
    res.detachSocket(socket);
    closeLingering(socket);
    res.emit('close');
  });
  // `lingerAtEnd` has replaced this method. A tunnel must not linger, so the original method is restored.
  Reflect.deleteProperty(socket, 'destroySoon');
  return { res, tunnel: new Tunnel(socket, head, readOffer(req.rawHeaders)) };
}
