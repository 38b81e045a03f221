import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens connections, uses each for one request, and keeps it open, as a client's connection pool does. */
export async function openIdleConnections(url: string, key: string, count: number): Promise<Socket[]> {
  const { hostname, port, pathname } = new URL(url);
  const sockets: Socket[] = [];
  // Open only a hundred at once, because connections beyond the listener's backlog would have to be retried.
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(100, count - sockets.length) }, async () => {
      const socket = connect(Number(port), hostname);
      // The error is ignored, because the caller counts connections that the server has closed.
      socket.on('error', () => {});
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(socket, 'data');
      return socket;
    });
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}
