import { createServer, type ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { settings } from './settings.ts';

const pool = new Pool(settings.upstream, { connections: 128 });

/** Uses the lowest-level interface of undici, with nothing between its parser and the response. */
function createRelayHandler(res: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      res.writeHead(status, headers as Record<string, string>);
    },
    onResponseData(_controller, chunk) {
      res.write(chunk);
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError() {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    },
  };
}

createServer((req, res) => {
  const { connection: _, ...headers } = req.headers;
  const method = req.method as Dispatcher.HttpMethod;
  const body = method === 'GET' || method === 'HEAD' ? null : req;
  pool.dispatch({ path: req.url ?? '/', method, headers, body }, createRelayHandler(res));
}).listen(settings.port, '127.0.0.1');
