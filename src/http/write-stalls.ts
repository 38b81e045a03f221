import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server. */
interface OpenConnections {
  all(): Iterable<{
    readonly socket: Socket;
    /** Whether a request on it is not answered yet. */
    readonly isBusy: boolean;
  }>;
}

/** Time between two checks of the connections. */
const CHECK_MS = 1000;

/**
 * Closes the connections of clients that do not read what is sent to them, be it an answer or the messages of a
 * WebSocket. Costs a request nothing: connections are checked once a second, and only while data waits to be sent does
 * the socket's own timer run, which any progress resets.
 *
 * @param timeoutMs how long a client may read nothing
 */
export function limitWriteStalls(server: Server, connections: OpenConnections, timeoutMs: number): void {
  const watched = new WeakSet<Socket>();

  function check(): void {
    for (const connection of connections.all()) {
      const { socket } = connection;
      if (socket.writableLength > 0) {
        if (!watched.has(socket)) watch(socket);
      } else if (watched.delete(socket)) {
        socket.off('timeout', destroyIfStalled);
        // On an idle connection the timer is that of Node, for keep-alive.
        if (connection.isBusy) socket.setTimeout(0);
      }
    }
  }

  function watch(socket: Socket): void {
    watched.add(socket);
    socket.setTimeout(timeoutMs);
    socket.on('timeout', destroyIfStalled);
  }

  // Alone, it keeps no process running: the server may never listen.
  const timer = setInterval(check, CHECK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

function destroyIfStalled(this: Socket): void {
  if (this.writableLength > 0) this.destroy();
}
