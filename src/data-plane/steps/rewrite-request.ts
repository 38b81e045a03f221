import type { IncomingHttpHeaders } from 'node:http';
import type { ForeignKeyFormat } from '../../domain/key-format.ts';
import { BEARER_KEY, listKeyOnlyHeaders } from '../credentials/presented-key.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { traceUpstream } from '../observers/spans.ts';
import type { Route, UpstreamRequest } from '../upstreams/upstream.ts';
import { type IsTrustedProxy, findSender } from '../../http/addresses.ts';
import { cachedByName, parseConnectionHeader, HOP_BY_HOP, isGatewayCookie } from '../../http/headers.ts';
import { findProtocol } from '../../http/protocol.ts';
import { looksLikeKey, redactKeys } from '../../http/redact-keys.ts';
import { removeGatewaySubprotocols, SUBPROTOCOLS_HEADER } from '../websocket/subprotocols.ts';

/** Headers that are forwarded even if `Connection` names them, because removing them would change the request. */
const ALWAYS_FORWARDED_HEADERS = new Set(['host', 'content-length', 'transfer-encoding']);
/** Headers whose values may contain a key or a cookie of the gateway. */
const GUARDED_HEADERS = ['authorization', 'cookie', 'referer', SUBPROTOCOLS_HEADER];

/**
 * Creates the function that removes secrets and unsafe headers from a request, and adds the caller's identity.
 *
 * @param dropHeaders headers that are not forwarded: names in any case, or prefixes with a `*`
 * @param foreignKeys the formats of foreign keys: a header with such a key is not forwarded; if a format has no prefix,
 * its header is never forwarded, because any value may be a key
 */
export function createRewriteRequest(
  isTrustedProxy: IsTrustedProxy,
  dropHeaders: readonly string[],
  foreignKeys: readonly ForeignKeyFormat[],
): (exchange: Exchange, route: Route) => UpstreamRequest {
  const isDroppedName = createIsDroppedName([...dropHeaders, ...listKeyOnlyHeaders(foreignKeys)]);
  const guardedNames = new Set([...GUARDED_HEADERS, ...foreignKeys.map(({ header }) => header.toLowerCase())]);
  const classifyHeaderName = cachedByName((name) => {
    const lowerCase = name.toLowerCase();
    const isDropped = isDroppedName(lowerCase);
    // Servers may treat underscores and dashes alike.
    const dashedName = lowerCase.replaceAll('_', '-');
    return {
      lowerCase,
      isDropped,
      isKept: ALWAYS_FORWARDED_HEADERS.has(lowerCase),
      guardedName: guardedNames.has(dashedName) ? dashedName : null,
    };
  });
  return function rewrite(exchange, route) {
    const { prefix, operation } = route;
    const { req, path, query } = exchange;
    const { rawHeaders } = req;
    const connectionHeaderNames = parseConnectionHeader(req.headers.connection);
    const offered = exchange.tunnel === null ? null : exchange.tunnel.offer.token;
    const hidesToken = exchange.token !== null && !exchange.token.issuer.config.forward && offered === null;
    const headers: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      const { lowerCase, isDropped, isKept, guardedName } = classifyHeaderName(name);
      if (isDropped || (connectionHeaderNames !== null && !isKept && connectionHeaderNames.has(lowerCase))) continue;
      const value = rawHeaders[index + 1] ?? '';
      if (hidesToken && guardedName === 'authorization') continue;
      const forwardedValue = guardedName === null ? value : removeSecrets(guardedName, value);
      if (forwardedValue !== null) headers.push(name, forwardedValue);
    }
    if (offered !== null) pushOfferedToken(headers, exchange, classifyHeaderName(AUTHORIZATION).isDropped);
    // The gateway's `Via` must come after the `Via` of earlier proxies (RFC 9110, 7.6.3).
    headers.push('Via', `${req.httpVersion} tollgate`);
    pushIdentity(headers, exchange, isTrustedProxy);
    const trace = exchange.trace === null ? null : traceUpstream(exchange, exchange.trace, route, headers);
    const url = path.slice(prefix.length) + redactKeys(query);
    return { req, url, headers, timeoutMs: operation.timeoutMs, trace };
  };
}

const AUTHORIZATION = 'Authorization';

/** Passes on the access token of a browser's WebSocket, unless the consumer sends the service other credentials. */
function pushOfferedToken(headers: string[], { token, tunnel }: Exchange, isDropped: boolean): void {
  const offered = tunnel?.offer.token;
  if (token === null || !token.issuer.config.forward || typeof offered !== 'string' || isDropped) return;
  const hasOthers = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  if (!hasOthers) headers.push(AUTHORIZATION, `Bearer ${offered}`);
}

/** Removes the gateway's secrets from the value of a header. @returns null to drop the header */
function removeSecrets(name: string, value: string): string | null {
  if (name === SUBPROTOCOLS_HEADER) return removeGatewaySubprotocols(value);
  if (name === 'cookie') return removeGatewayCookies(value);
  if (name === 'referer') return redactKeys(value);
  // A value that contains a key anywhere is dropped too, even if the gateway would not accept the key there.
  return BEARER_KEY.test(value) || looksLikeKey(value) ? null : value;
}

function pushIdentity(headers: string[], exchange: Exchange, isTrustedProxy: IsTrustedProxy): void {
  const { req, requestId, credential } = exchange;
  const sender = findSender(req.socket);
  // Only a trusted proxy's headers are believed. The proxy must set or remove each of them, or the consumer could.
  const reportedHeaders = isTrustedProxy(req) ? req.headers : NO_REPORTED_HEADERS;
  const forwardedFor = reportedHeaders['x-forwarded-for'];
  headers.push(
    'X-Request-Id',
    requestId,
    'X-Forwarded-For',
    forwardedFor ? `${String(forwardedFor)}, ${sender}` : sender,
  );
  headers.push('X-Forwarded-Proto', reportedHeaders['x-forwarded-proto']?.toString() || findProtocol(req.socket));
  headers.push('X-Forwarded-Host', reportedHeaders['x-forwarded-host']?.toString() || (req.headers.host ?? ''));
  if (credential === null) return;
  headers.push('X-Consumer-Id', credential.owner, 'X-Credential-Id', credential.keyId);
  headers.push('X-Consumer-Plan', credential.plan);
}

const NO_REPORTED_HEADERS: IncomingHttpHeaders = {};

/**
 * Headers that are never forwarded: headers in which the gateway identifies the caller; headers that could make the
 * service believe in another caller, or read another method or path than was checked; and hop-by-hop headers, except
 * `Transfer-Encoding`, because it tells services in this process that there is a body.
 */
const NEVER_FORWARDED_HEADERS = [
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
  ...HOP_BY_HOP.filter((name) => name !== 'transfer-encoding'),
  'trailer',
  'http2-settings',
];
/**
 * Headers that are dropped if they are spelled with underscores. A server that treats `_` and `-` alike would see
 * duplicates of the properly spelled header.
 */
const UNIQUE_HEADERS = ['host', 'content-length', 'transfer-encoding', 'authorization'];

const PREFIX_LETTERS = 2;

/** Whether to drop a header, by its name in lower case. */
type IsDroppedName = (name: string) => boolean;

/**
 * @param configuredNames additional names to drop, in any case; a prefix of at least two letters with a `*` drops all names
 * that begin with it
 */
function createIsDroppedName(configuredNames: readonly string[]): IsDroppedName {
  const names = new Set(NEVER_FORWARDED_HEADERS);
  const uniqueNames = new Set(UNIQUE_HEADERS);
  const patterns = configuredNames.map((name) => name.toLowerCase());
  for (const name of patterns) if (!name.endsWith('*')) names.add(name);
  const prefixes = patterns.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  // Comparing the first two letters rules out most headers.
  const byLetters = Map.groupBy(prefixes, (prefix) => prefix.slice(0, PREFIX_LETTERS));

  function isListedName(name: string): boolean {
    if (names.has(name)) return true;
    const candidates = byLetters.get(name.slice(0, PREFIX_LETTERS));
    if (candidates === undefined) return false;
    for (const prefix of candidates) if (name.startsWith(prefix)) return true;
    return false;
  }

  return function isDroppedName(name) {
    if (isListedName(name)) return true;
    if (!name.includes('_')) return false;
    const dashedName = name.replaceAll('_', '-');
    return uniqueNames.has(dashedName) || isListedName(dashedName);
  };
}

/**
 * Removes the cookies of console and portal, and all keys, from a `Cookie` header.
 *
 * @returns null if no cookie remains
 */
function removeGatewayCookies(value: string): string | null {
  const safe = redactKeys(value);
  if (!/tollgate-/i.test(safe)) return safe;
  const keptPairs = safe.split(';').filter((pair) => !isGatewayCookie(pair));
  return keptPairs.length === 0 ? null : keptPairs.join(';').trimStart();
}
