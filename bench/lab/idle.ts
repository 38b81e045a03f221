import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections that were used once and are kept open, as those of a client's pool. */
export async function openIdle(url: string, key: string, count: number): Promise<Socket[]> {
  const { hostname, port, pathname } = new URL(url);
  const sockets: Socket[] = [];
  // A hundred at once: more than the backlog of the listener would have to be tried again.
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, async () => {
      const socket = connect(Number(port), hostname);
      // One that the server resets is found closed by whoever counts them.
      socket.on('error', () => {});
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(socket, 'data');
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}
