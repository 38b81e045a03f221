import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  readonly url: string;
  readonly breakAt: {
    /** The call that something happens to: 1 is the first. */
    readonly call: number;
    /** Done before the call is passed on. */
    readonly before?: () => Promise<unknown>;
    /** The answer does not come back. */
    readonly cut?: 'answer';
  };
  stop(): void;
}

/** Passes requests on, save that one of those whose path ends so meets with an accident. */
export async function createProxy(target: string, path: string, breakAt: Proxy['breakAt']): Promise<Proxy> {
  let calls = 0;
  const server = createServer((req, res) => {
    const isIt = req.url?.endsWith(path) === true && ++calls === breakAt.call;
    const pass = () => {
      const call = request(target + req.url, { method: req.method ?? 'GET', headers: req.headers }, (answer) => {
        if (isIt && breakAt.cut === 'answer') {
          answer.resume();
          res.destroy();
          return;
        }
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      });
      req.pipe(call);
    };
    if (isIt && breakAt.before !== undefined) void breakAt.before().then(pass);
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
