import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  readonly url: string;
  readonly breakAt: {
    /** The number of the call to interfere with, counted from 1. */
    readonly call: number;
    /** Called before the call is forwarded. */
    readonly before?: () => Promise<unknown>;
    /** Drops the response. */
    readonly cut?: 'answer';
  };
  stop(): void;
}

/** Creates a reverse proxy that interferes with one of the requests whose path ends with `path`. */
export async function createProxy(target: string, path: string, breakAt: Proxy['breakAt']): Promise<Proxy> {
  let calls = 0;
  const server = createServer((req, res) => {
    const isTarget = req.url?.endsWith(path) === true && ++calls === breakAt.call;
    const pass = () => {
      const call = request(target + req.url, { method: req.method ?? 'GET', headers: req.headers }, (response) => {
        if (isTarget && breakAt.cut === 'answer') {
          response.resume();
          res.destroy();
          return;
        }
        res.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(res);
      });
      req.pipe(call);
    };
    if (isTarget && breakAt.before !== undefined) void breakAt.before().then(pass);
    else pass();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakAt,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
