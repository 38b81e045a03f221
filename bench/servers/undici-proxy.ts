import { createServer } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { createRelayHandler } from './relay.ts';
import { settings } from './settings.ts';

const pool = new Pool(settings.upstream, { connections: 128 });

createServer((req, res) => {
  const { connection: _, ...headers } = req.headers;
  const method = req.method as Dispatcher.HttpMethod;
  const body = method === 'GET' || method === 'HEAD' ? null : req;
  const handler = createRelayHandler(res, (status, responseHeaders) => res.writeHead(status, responseHeaders));
  pool.dispatch({ path: req.url ?? '/', method, headers, body }, handler);
}).listen(settings.port, '127.0.0.1');
