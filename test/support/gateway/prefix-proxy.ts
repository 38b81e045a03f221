import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a reverse proxy that strips a path prefix and does not forward `Host`, which is a common setup. */
export async function startPrefixProxy(prefix: string) {
  let target = '';
  const server = createServer((req, res) => {
    const path = req.url?.startsWith(prefix) === true ? req.url.slice(prefix.length) : '/nowhere';
    const headers = { ...req.headers, host: 'gateway.internal' };
    const call = request(target + path, { method: req.method ?? 'GET', headers }, (response) => {
      res.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(res);
    });
    call.on('error', () => res.destroy());
    req.pipe(call);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`),
    /** Sets the URL to which requests are forwarded. */
    passTo: (url: string) => void (target = url),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
