import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpService {
  readonly url: string;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/**
 * Serves a request listener like a framework: an exception becomes a 500, or ends a response that has begun.
 *
 * @param socket path of a Unix socket on which it listens instead of a port
 */
export async function serveHttp(handler: Handler, socket?: string): Promise<HttpService> {
  const server = createServer(async (req, res) => {
    try {
      await handler(req, res);
    } catch {
      if (res.headersSent) res.destroy();
      else res.writeHead(500).end();
    }
  });
  return listening(server, socket);
}

export async function listening(server: Server, socket?: string): Promise<HttpService> {
  await new Promise<void>((resolve) => {
    if (socket === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(socket, resolve);
  });
  return {
    url: socket === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix:${socket}`,
    server,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
