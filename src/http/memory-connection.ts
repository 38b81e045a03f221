import { type Duplex, duplexPair } from 'node:stream';

export interface MemoryConnection {
  /** The end of whoever connects. */
  readonly client: Duplex;
  /** The end that a server takes, as the argument of its `connection` event. */
  readonly socket: Duplex;
}

/**
 * A connection within this process. It has no idle timer: whoever connects limits how long it lasts.
 *
 * @param remoteAddress where the server sees it come from
 */
export function memoryConnection(remoteAddress: string): MemoryConnection {
  const [client, plain] = duplexPair();
  // What a server asks of a socket and a stream does not have.
  const socket = Object.assign(plain, { remoteAddress, bytesRead: 0, setTimeout: () => plain });
  // Destroying one end only ends what the other reads; what is still written to it would wait for ever.
  client.once('close', () => socket.destroy());
  for (const end of [client, socket]) end.on('error', ignore);
  return { client, socket };
}

function ignore(): void {
  // The other end learns that the connection is closed.
}
