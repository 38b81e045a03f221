import type { Route, UpstreamRequest } from '../upstreams/upstream.ts';
import type { ClientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import { looksLikeKey } from '../registry/redact.ts';
import { BEARER_KEY } from './presented-key.ts';

/**
 * Never passed on. What the gateway says of the caller, and what would let a caller say it, or mean another request
 * than the one that was judged; and what concerns this connection only (RFC 9110, 7.6.1). `Transfer-Encoding` is not
 * among them: services in this process tell by it that there is a body.
 */
const DROPPED = new Set([
  'x-api-key',
  'x-request-id',
  'x-consumer-id',
  'x-credential-id',
  'x-consumer-plan',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'expect',
  'connection',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
]);
/** Dropped where an underscore stands for the dash: servers that read it so would find a second one. */
const UNIQUE = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', ...DROPPED]);
/** Not dropped though `Connection` names them: the request would become another one. */
const KEPT = new Set(['host', 'content-length', 'transfer-encoding']);

/** Makes of a request what its upstream may see of it. */
export function createRewrite(clientAddress: ClientAddress): (exchange: Exchange, route: Route) => UpstreamRequest {
  return function rewrite(exchange, { prefix, operation }) {
    const { req, path, query } = exchange;
    const { rawHeaders } = req;
    const named = namedByConnection(req.headers.connection);
    const headers: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      const value = rawHeaders[index + 1] ?? '';
      if (!isDropped(name.toLowerCase(), value, named)) headers.push(name, value);
    }
    // RFC 9110, 7.6.3. An added line comes after those of the proxies before us, as the order asks.
    headers.push('Via', `${req.httpVersion} tollgate`);
    pushIdentity(headers, exchange, clientAddress);
    return { req, url: path.slice(prefix.length) + query, headers, timeout: operation.timeout };
  };
}

function isDropped(name: string, value: string, named: ReadonlySet<string> | null): boolean {
  // Also where it is hidden in something that we do not take for a key.
  if (name === 'authorization') return BEARER_KEY.test(value) || looksLikeKey(value);
  if (DROPPED.has(name)) return true;
  if (name.includes('_') && UNIQUE.has(name.replaceAll('_', '-'))) return true;
  return named !== null && named.has(name) && !KEPT.has(name);
}

/** Nearly all requests say `keep-alive` or `close`, which name no header. */
function namedByConnection(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

function pushIdentity(headers: string[], exchange: Exchange, clientAddress: ClientAddress): void {
  const { req, requestId, credential } = exchange;
  const said = req.headers;
  const sender = req.socket.remoteAddress ?? '';
  const chain = said['x-forwarded-for'];
  // What strangers say of the way here is worth nothing; what a trusted proxy says is the start of the chain.
  const proxied = chain !== undefined && clientAddress(req) !== sender;
  headers.push('X-Request-Id', requestId, 'X-Forwarded-For', proxied ? `${String(chain)}, ${sender}` : sender);
  headers.push('X-Forwarded-Proto', (proxied && said['x-forwarded-proto']?.toString()) || 'http');
  headers.push('X-Forwarded-Host', (proxied && said['x-forwarded-host']?.toString()) || (said.host ?? ''));
  if (credential === null) return;
  headers.push('X-Consumer-Id', credential.owner, 'X-Credential-Id', credential.keyId);
  headers.push('X-Consumer-Plan', credential.plan);
}
