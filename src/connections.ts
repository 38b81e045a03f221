import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from './pipeline/exchange.ts';

/**
 * The connections of a server, each with its latest request: that is the one whose answer decides what becomes of the
 * connection.
 */
export class Connections {
  readonly #latest = new Map<Socket, Exchange | null>();
  /** How many were ever accepted. */
  accepted = 0;
  /** How many were turned away because there were too many. */
  dropped = 0;
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted++;
      this.#latest.set(socket, null);
      socket.once('close', () => this.#latest.delete(socket));
    });
    server.on('drop', () => this.dropped++);
  }

  get size(): number {
    return this.#latest.size;
  }

  /** How many have a request at work. */
  get busy(): number {
    let busy = 0;
    for (const exchange of this.#latest.values()) if (isAtWork(exchange)) busy++;
    return busy;
  }

  began(exchange: Exchange): void {
    const { socket } = exchange.req;
    // Of one that is gone already, nobody would tell.
    if (this.#latest.has(socket)) this.#latest.set(socket, exchange);
    if (this.#closing) exchange.headers.push('Connection', 'close');
  }

  /** The latest request on a connection. */
  latest(socket: Socket): Exchange | undefined {
    return this.#latest.get(socket) ?? undefined;
  }

  sockets(): IterableIterator<Socket> {
    return this.#latest.keys();
  }

  isBusy(socket: Socket): boolean {
    return isAtWork(this.#latest.get(socket) ?? null);
  }

  /** From now on answers tell their clients to send nothing more. Those whose head is sent no longer can. */
  announceClose(): void {
    this.#closing = true;
    for (const exchange of this.#latest.values()) {
      if (isAtWork(exchange) && !exchange.res.headersSent) exchange.headers.push('Connection', 'close');
    }
  }
}

function isAtWork(exchange: Exchange | null): exchange is Exchange {
  return exchange !== null && !exchange.res.closed;
}
