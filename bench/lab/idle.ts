import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections that were used for one request and are kept open, like those in a client's pool. */
export async function openIdle(url: string, key: string, count: number): Promise<Socket[]> {
  const { hostname, port, pathname } = new URL(url);
  const sockets: Socket[] = [];
  // Only a hundred are opened at once. More than the listener's backlog would have to be retried.
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, async () => {
      const socket = connect(Number(port), hostname);
      // The error is ignored, because the caller counts connections that the server has closed.
      socket.on('error', () => {});
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(socket, 'data');
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}
