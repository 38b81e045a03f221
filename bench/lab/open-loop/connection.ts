import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ResponseReader } from './answer-reader.ts';

/**
 * One buffer shared by all connections. This is safe, because the data of one connection is parsed before another
 * connection reads.
 */
const shared = Buffer.alloc(64 * 1024);

const CONNECT_TIMEOUT_MS = 5000;

/** A kept-alive connection with one request at a time. */
export class Connection {
  /** When the request was due, in ms of `performance.now()`. */
  intendedAt = 0;
  /** When the last response arrived and the connection became free, in ms of `performance.now()`. */
  freeSince = 0;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * @param onAnswer called with the status of each response
   * @param onFailure called when the connection is lost or its data cannot be read
   */
  static async open(
    port: number,
    onAnswer: (connection: Connection, status: number) => void,
    onFailure: (error: Error) => void,
  ): Promise<Connection> {
    const reader = new ResponseReader();
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: shared,
        callback(length) {
          const status = reader.read(shared, length);
          if (status !== null) onAnswer(connection, status);
          return true;
        },
      },
    });
    const connection = new Connection(socket);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    socket.on('error', onFailure);
    socket.on('end', () => onFailure(new Error('the contender closed a connection')));
    return connection;
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }
}
