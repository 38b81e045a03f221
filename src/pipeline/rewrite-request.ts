import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ClientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import { BEARER_KEY } from './presented-key.ts';

/**
 * What the gateway says of the caller, and headers that would let a caller say it: an inbound copy never reaches the
 * upstream. Underscores count as dashes, because some servers read them so.
 */
const IDENTITY = new Set([
  'x-api-key',
  'x-request-id',
  'x-consumer-id',
  'x-credential-id',
  'x-consumer-plan',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'x-http-method-override',
  'x-original-url',
  'expect',
]);

/** Replaces the request's headers by what the upstream may see. */
export function createRewrite(clientAddress: ClientAddress): (exchange: Exchange) => void {
  return function rewrite(exchange) {
    const { req } = exchange;
    const kept: string[] = [];
    for (let index = 0; index < req.rawHeaders.length; index += 2) {
      const name = req.rawHeaders[index] ?? '';
      const value = req.rawHeaders[index + 1] ?? '';
      if (!isDropped(name, value)) kept.push(name, value);
    }
    setHeaders(req, kept, identityOf(exchange, clientAddress));
    req.url = exchange.path + exchange.query;
  };
}

function identityOf({ req, requestId, credential }: Exchange, clientAddress: ClientAddress): string[] {
  const sender = req.socket.remoteAddress ?? '';
  const chain = req.headers['x-forwarded-for'];
  // What strangers say of the way here is worth nothing; what a trusted proxy says is the start of the chain.
  const throughProxy = chain !== undefined && clientAddress(req) !== sender;
  const identity = [
    ['X-Request-Id', requestId],
    ['X-Forwarded-For', throughProxy ? `${String(chain)}, ${sender}` : sender],
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-Host', req.headers.host ?? ''],
  ].flat();
  if (credential === null) return identity;
  const { owner, keyId, plan } = credential;
  return [...identity, 'X-Consumer-Id', owner, 'X-Credential-Id', keyId, 'X-Consumer-Plan', plan];
}

function isDropped(name: string, value: string): boolean {
  const lower = name.toLowerCase().replaceAll('_', '-');
  return lower === 'authorization' ? BEARER_KEY.test(value) : IDENTITY.has(lower);
}

/** In all three forms that Node gives them: what is cut from one must not remain in another. */
function setHeaders(req: IncomingMessage, kept: readonly string[], identity: readonly string[]): void {
  const parsed = req.headers;
  const headers: IncomingHttpHeaders = {};
  const distinct: NodeJS.Dict<string[]> = {};
  const raw = [...kept, ...identity];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const values = (distinct[name] ??= []);
    values.push(raw[index + 1] ?? '');
    // Node has joined the values of a header that was repeated, by the rules of each; a key is only ever in one of its
    // own or in Authorization, of which Node takes the first.
    headers[name] = values.length === 1 || name === 'authorization' ? values[0] : parsed[name];
  }
  req.rawHeaders = raw;
  req.headers = headers;
  req.headersDistinct = distinct;
}
