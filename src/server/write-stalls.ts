import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** Between two looks at the connections, in ms. */
const LOOK_MS = 1000;

/**
 * Closes the connections of clients that take nothing of what is sent to them, whether an answer or the messages of a
 * WebSocket. Costs a request nothing: the connections are looked at once a second, and only where something waits to be
 * taken does the socket's own timer run, which any progress sets back.
 *
 * @param timeoutMs how long a client may take nothing
 */
export function limitWriteStalls(server: Server, connections: Connections, timeoutMs: number): void {
  const watched = new WeakSet<Socket>();

  function look(): void {
    for (const connection of connections.all()) {
      const { socket } = connection;
      if (socket.writableLength > 0) {
        if (!watched.has(socket)) watch(socket);
      } else if (watched.delete(socket)) {
        socket.off('timeout', destroyIfStalled);
        // Of an idle connection it is Node's timer, for keep-alive.
        if (connection.isBusy) socket.setTimeout(0);
      }
    }
  }

  function watch(socket: Socket): void {
    watched.add(socket);
    socket.setTimeout(timeoutMs);
    socket.on('timeout', destroyIfStalled);
  }

  const timer = setInterval(look, LOOK_MS);
  server.once('close', () => clearInterval(timer));
}

function destroyIfStalled(this: Socket): void {
  if (this.writableLength > 0) this.destroy();
}
