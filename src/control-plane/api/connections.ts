import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connectionEvent, endHandshakes } from '../../http/http-server.ts';

const CHECK_MS = 100;
/** How long a connection without a request may stay while the server is drained: the next one may be on its way. */
const IDLE_MS = 500;

/** The open connections of a listener, and which of them wait for an answer. */
export class Connections {
  readonly #server: Server;
  /** With the latest response; null before the first. */
  readonly #open = new Map<Socket, ServerResponse | null>();

  constructor(server: Server) {
    this.#server = server;
    server.on(connectionEvent(server), (socket: Socket) => {
      this.#open.set(socket, null);
      socket.once('close', () => this.#open.delete(socket));
    });
    for (const event of ['request', 'checkExpectation']) {
      server.prependListener(event, ({ socket }: IncomingMessage, res: ServerResponse) => {
        if (this.#open.has(socket)) this.#open.set(socket, res);
      });
    }
  }

  *all(): Generator<{ readonly socket: Socket; readonly isBusy: boolean }> {
    for (const socket of this.#open.keys()) yield { socket, isBusy: this.isBusy(socket) };
  }

  has(socket: Socket): boolean {
    return this.#open.has(socket);
  }

  /** Whether a request on it is not answered yet. */
  isBusy(socket: Socket): boolean {
    return this.#open.get(socket)?.closed === false;
  }

  /** Takes no new ones, and closes each when it has no request any more; all that are left at the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    const startedAt = performance.now();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    const check = setInterval(() => {
      const passedMs = performance.now() - startedAt;
      if (passedMs < IDLE_MS) return;
      endHandshakes(this.#server);
      for (const socket of this.#open.keys()) if (passedMs >= deadlineMs || !this.isBusy(socket)) socket.destroy();
    }, CHECK_MS);
    await closed;
    clearInterval(check);
  }
}
