import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Responds to a request. The default is a 204. */
export type RespondToRequest = (req: ReceivedRequest, res: ServerResponse) => void;

/** A webhook endpoint on a free port. */
export class Endpoint {
  readonly url: string;
  readonly requests: ReceivedRequest[] = [];
  connections = 0;
  /** Responds to requests. Tests can replace it at any time. */
  respond: RespondToRequest;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, respond: RespondToRequest) {
    this.#server = server;
    this.respond = respond;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (req, res) => void this.#receive(req, res));
  }

  static async start(respond: RespondToRequest = (_, res) => res.writeHead(204).end()): Promise<Endpoint> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new Endpoint(server, respond);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.on('error', () => {});
    let body = '';
    try {
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
    } catch {
      return;
    }
    const received = { method: req.method ?? '', path: req.url ?? '', headers: readHeaders(req), body };
    this.requests.push(received);
    this.respond(received, res);
  }
}

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
