import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { charge, listGatewayHeaders, VARY } from './floor.ts';
import { createRelayHandler } from './relay.ts';
import { settings } from './settings.ts';

/**
 * Forwards with the header fields that the gateway adds in both directions, and does nothing more: the key is not looked at,
 * nothing is logged or counted, and there is no backpressure and no timeout.
 */
const pool = new Pool(settings.upstream, { connections: 128 });
const ADDED_FIELDS = 'x-forwarded-proto,http,x-consumer-id,acme,x-consumer-plan,enterprise,via,1.1 tollgate'.split(',');
const CREDENTIAL_ID = `key_${'f'.repeat(20)}`;

function writeHead(res: ServerResponse, status: number, headers: string[], upstreamHeaders: IncomingHttpHeaders): void {
  for (const name in upstreamHeaders) {
    // These two belong to the connection to the upstream.
    if (name !== 'connection' && name !== 'keep-alive') headers.push(name, upstreamHeaders[name] as string);
  }
  res.writeHead(status, headers.concat(VARY));
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
    const added = listGatewayHeaders(usage);
    const handler = createRelayHandler(res, (status, upstreamHeaders) =>
      writeHead(res, status, added, upstreamHeaders),
    );
    pool.dispatch({ path: url, method, headers, body }, handler);
  });
});
server.listen(settings.port, '127.0.0.1');
