import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const NOTIFICATION = 'A'.charCodeAt(0);

export interface PostgresProxy {
  readonly port: number;
  /** Leads to another server from now on, as an address does after a failover. Connections are cut. */
  leadTo(port: number): void;
  stop(): void;
}

/**
 * Stands before PostgreSQL.
 *
 * @param options.deaf passes on everything but notifications, as a pooler that lends a connection for one transaction
 */
export async function startPostgresProxy(to: number, { deaf = false } = {}): Promise<PostgresProxy> {
  let target = to;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream);
    if (deaf) passWithoutNotifications(upstream, client);
    else upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      cut();
    },
    stop() {
      server.close();
      cut();
    },
  };
}

function passWithoutNotifications(from: Socket, to: Socket): void {
  let pending = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    // A byte of type, four of length (which counts itself), and the rest.
    while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
      const end = pending.readUInt32BE(1) + 1;
      if (pending[0] !== NOTIFICATION) to.write(pending.subarray(0, end));
      pending = pending.subarray(end);
    }
  });
}
