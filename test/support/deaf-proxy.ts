import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const NOTIFICATION = 'A'.charCodeAt(0);

/**
 * Stands before PostgreSQL and passes on everything but notifications, as a pooler does that lends a connection for one
 * transaction only.
 */
export async function startDeafProxy(port: number): Promise<{ readonly port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream);
    let pending = Buffer.alloc(0);
    upstream.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      // A byte of type, four of length (which counts itself), and the rest.
      while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
        const end = pending.readUInt32BE(1) + 1;
        if (pending[0] !== NOTIFICATION) client.write(pending.subarray(0, end));
        pending = pending.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
