import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpService {
  readonly url: string;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/** Serves a request listener as frameworks do: an exception becomes a 500, or ends a response that has begun. */
export async function serveHttp(handler: Handler): Promise<HttpService> {
  const server = createServer(async (req, res) => {
    try {
      await handler(req, res);
    } catch {
      if (res.headersSent) res.destroy();
      else res.writeHead(500).end();
    }
  });
  return listening(server);
}

export async function listening(server: Server): Promise<HttpService> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
