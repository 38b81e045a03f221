import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const NOTIFICATION = 'A'.charCodeAt(0);

/** The treatment of PostgreSQL's notifications by a proxy. All other messages pass unchanged. */
type NotificationMode = 'pass' | 'drop' | 'hold' | 'double';

export interface PostgresProxy {
  /** Returns the URL of a database through the proxy. */
  through(url: string): string;
  /** Forwards to another server from now on, and closes all connections, like a failover. */
  redirectTo(port: number): void;
  /** Changes what the proxy does with notifications. Notifications on hold pass once another mode is set. */
  setNotifications(mode: NotificationMode): void;
  /** Closes all connections, and refuses new ones. */
  stop(): void;
}

/**
 * Starts a TCP proxy in front of PostgreSQL.
 *
 * @param options.dropNotifications forwards everything but notifications, like a pooler in transaction mode
 */
export async function startPostgresProxy(to: number, { dropNotifications = false } = {}): Promise<PostgresProxy> {
  let target = to;
  const notifications = new NotificationFilter(dropNotifications ? 'drop' : 'pass');
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
    notifications.pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(/:\d+\//, `:${port}/`),
    redirectTo(port) {
      target = port;
      cut();
    },
    setNotifications: (mode) => notifications.set(mode),
    stop() {
      server.close();
      cut();
    },
  };
}

class NotificationFilter {
  #mode: NotificationMode;
  #held: (() => void)[] = [];

  constructor(mode: NotificationMode) {
    this.#mode = mode;
  }

  set(mode: NotificationMode): void {
    this.#mode = mode;
    if (mode === 'hold') return;
    for (const send of this.#held.splice(0)) send();
  }

  pass(from: Socket, to: Socket): void {
    let pending = Buffer.alloc(0);
    from.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      // A message has a byte for its type, four bytes for its length (including these four), and the payload.
      while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
        const end = pending.readUInt32BE(1) + 1;
        const message = pending.subarray(0, end);
        pending = pending.subarray(end);
        if (message[0] === NOTIFICATION) this.#passNotification(() => to.write(message));
        else to.write(message);
      }
    });
  }

  #passNotification(send: () => void): void {
    if (this.#mode === 'hold') this.#held.push(send);
    else if (this.#mode !== 'drop') send();
    if (this.#mode === 'double') send();
  }
}
