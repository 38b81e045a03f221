import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './linger.ts';
import { GatewayResponse } from './response.ts';
import { Tunnel } from './tunnel.ts';

/**
 * What is an upgrade: a WebSocket handshake, whole in its head. Whatever else asks for one is an ordinary request, and
 * `Upgrade` is not passed on.
 */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Whether a request asks for an upgrade, of which it got none. Node's parser stops behind such a request and drops what
 * else came in the same packet, then reads on in the middle of whatever follows: nothing there can be trusted.
 */
export function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

/**
 * Node gives an upgrade no response, since it expects none but the tunnel. With one, a refusal takes the same way as
 * that of any request; after it the connection is closed.
 */
export function beginHandshake(
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): { res: GatewayResponse; tunnel: Tunnel } {
  const res = new GatewayResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // A reset is an end like another.
  socket.on('error', () => socket.destroy());
  // Node has let go of the connection: nobody else tells an answer that had to wait that there is room again.
  socket.on('drain', () => res.emit('drain'));
  res.once('finish', () => {
    res.detachSocket(socket);
    closeLingering(socket);
    res.emit('close');
  });
  // Neither end of a tunnel waits for the other.
  Reflect.deleteProperty(socket, 'destroySoon');
  return { res, tunnel: new Tunnel(socket, head) };
}
