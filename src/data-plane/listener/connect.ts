import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './connections.ts';
import { discardInput } from '../../http/linger.ts';
import type { RefuseRaw } from '../../http/raw-refusal.ts';

/**
 * Refuses CONNECT, in its turn: the gateway offers no tunnels to other hosts.
 *
 * Node has let go of the connection by now, though earlier requests on it may not be answered yet. They still need
 * their answers, and someone must listen for the client resetting the connection (`error`) or having room for more
 * (`drain`).
 *
 * @param stream what Node hands over; not the socket itself if the request has a body
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
    if (connection.isServing()) connection.exchange.res.emit('drain');
  });
  discardInput(socket);
  socket.once('end', () => socket.end());
}
