import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import { charge, listGatewayHeaders, VARY } from './floor.ts';
import { settings } from './settings.ts';

/**
 * Forwards with the header fields that the gateway adds in both directions, and does nothing more: the key is not looked at,
 * nothing is logged or counted, and there is no backpressure and no timeout.
 */
const pool = new Pool(settings.upstream, { connections: 128 });
const ADDED_FIELDS = 'x-forwarded-proto,http,x-consumer-id,acme,x-consumer-plan,enterprise,via,1.1 tollgate'.split(',');
const CREDENTIAL_ID = `key_${'f'.repeat(20)}`;

function createRelayHandler(res: ServerResponse, headers: string[]): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, upstreamHeaders) {
      for (const name in upstreamHeaders) {
        // These two belong to the connection to the upstream.
        if (name !== 'connection' && name !== 'keep-alive') headers.push(name, upstreamHeaders[name] as string);
      }
      res.writeHead(status, headers.concat(VARY));
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

const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
  charge((usage) => {
    const headers = [...ADDED_FIELDS, 'x-credential-id', CREDENTIAL_ID, 'x-request-id', randomUUID()];
    headers.push('x-forwarded-for', req.socket.remoteAddress!, 'x-forwarded-host', req.headers.host!);
    const { rawHeaders, method = 'GET', url = '/' } = req;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!.toLowerCase();
      if (name !== 'connection' && name !== 'x-api-key') headers.push(name, rawHeaders[index + 1]!);
    }
    const body = method === 'GET' || method === 'HEAD' ? null : req;
    const handler = createRelayHandler(res, listGatewayHeaders(usage));
    pool.dispatch({ path: url, method, headers, body }, handler);
  });
});
server.listen(settings.port, '127.0.0.1');
