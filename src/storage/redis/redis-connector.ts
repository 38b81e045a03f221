import { AbstractConnector } from 'ioredis';
import { createConnection, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { serverNames } from '../../base/host-names.ts';

/** The options that the client passes to a connector. */
interface ConnectorOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: ConnectionOptions;
  readonly disconnectTimeout: number;
}

/**
 * Like the client's own connector, but resolves host names by `serverNames`, so that a slow lookup does not delay
 * others.
 */
export class RedisConnector extends AbstractConnector {
  readonly #options: ConnectorOptions;

  constructor(options: unknown) {
    super((options as ConnectorOptions).disconnectTimeout);
    this.#options = options as ConnectorOptions;
  }

  async connect(): Promise<Socket> {
    const { host = 'localhost', port = 6379, tls } = this.#options;
    this.connecting = true;
    await nextTurn();
    // If the client has disconnected in the meantime, reject with the message that it recognizes.
    if (!this.connecting) throw new Error('Connection is closed.');
    const to = { host, port, lookup: serverNames.lookup };
    const socket = tls === undefined ? createConnection(to) : connectTls({ ...to, ...tls });
    this.stream = socket;
    // TLS may report a second error after the client has removed its listener.
    socket.on('error', (error) => {
      this.firstError ??= error;
    });
    return socket;
  }
}
