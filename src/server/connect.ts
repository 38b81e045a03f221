import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './connections.ts';
import { discardInput } from '../pipeline/http/linger.ts';
import type { RefuseRaw } from '../pipeline/http/raw-refusal.ts';

/**
 * Answers CONNECT, in its turn: a tunnel to anywhere is nothing that the gateway offers.
 *
 * Node has let go of the connection by now, and so of the requests on it that are not answered yet. They are owed their
 * answers all the same, and somebody who hears when the client resets the connection or has room for more.
 *
 * @param stream what Node hands over: not the socket where the request has a body
 */
export function refuseConnect(
  socket: Socket,
  stream: Duplex,
  connection: Connection | undefined,
  refuseRaw: RefuseRaw,
): void {
  socket.on('error', () => socket.destroy());
  if (stream !== socket) stream.on('error', () => socket.destroy());
  if (connection === undefined || connection.isClosing) return;
  connection.markLast();
  connection.inTurn(() => refuseRaw(socket, 'method_not_allowed', {}, ['Allow', 'GET, HEAD']));
  socket.on('drain', () => {
    if (connection.isAtWork()) connection.exchange.res.emit('drain');
  });
  discardInput(socket);
  socket.once('end', () => socket.end());
}
