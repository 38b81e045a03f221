import { randomUUID } from 'node:crypto';
import { looksLikeKey } from './redact-keys.ts';

/** Headers that frame a message or control its connection, in lower case. */
export const CONNECTION_HEADERS = ['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'] as const;

/** All headers that apply to a single connection, in lower case. A proxy does not forward them (RFC 9110, 7.6.1). */
export const HOP_BY_HOP = [
  ...CONNECTION_HEADERS,
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
] as const;

/**
 * Parses the names of the headers that a `Connection` header makes hop-by-hop.
 *
 * @returns names in lower case; null for `keep-alive` and `close`, which nearly all requests send and which are no
 * header names
 */
export function parseConnectionHeader(connection: string | readonly string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/**
 * Maximum number of cached names. The cache needs a limit because clients choose the names. Nearly all requests use the
 * same few.
 */
const MAX_CACHED_NAMES = 1000;
/** Maximum length of a cached name. */
const MAX_CACHED_NAME_LENGTH = 64;

/**
 * Wraps a function of header names, or of other short texts that repeat, so that its results are cached. `compute` must
 * not depend on anything else. The name as sent is the cache's key, because lower-casing it first would cost more.
 */
export function cachedByName<Result>(compute: (name: string) => Result): (name: string) => Result {
  const cache = new Map<string, Result>();
  return function lookUp(name) {
    const cachedResult = cache.get(name);
    if (cachedResult !== undefined) return cachedResult;
    const result = compute(name);
    if (name.length > MAX_CACHED_NAME_LENGTH) return result;
    if (cache.size === MAX_CACHED_NAMES) cache.clear();
    cache.set(name, result);
    return result;
  };
}

/**
 * Matches the beginning of a `Set-Cookie` value, or of a pair in a `Cookie` header, if the cookie belongs to the
 * console or portal. Allows white space around the name, because browsers trim it. Allows a leading `=`: after
 * `Set-Cookie: =a=b`, a browser keeps a cookie without a name, and sends `a=b`, which looks like a cookie named `a`
 * (RFC 6265bis, 5.6 and 5.8.3).
 */
const GATEWAY_COOKIE = /^[\s=]*(?:__(?:Host|Secure)-)?tollgate-(?:console|portal)(?:-oidc)?\s*(?:[=;]|$)/i;

/**
 * Whether a cookie belongs to the console or portal. Cookies are not bound to a port, so browsers use the same cookies
 * for every listener of a host. Services must neither see nor set the cookies of the console and portal.
 */
export function isGatewayCookie(pair: string): boolean {
  return GATEWAY_COOKIE.test(pair);
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is safe to log, otherwise a new id. */
export function chooseRequestId(receivedId: string | readonly string[] | undefined): string {
  return typeof receivedId === 'string' && REQUEST_ID.test(receivedId) && !looksLikeKey(receivedId)
    ? receivedId
    : randomUUID();
}

/** `WWW-Authenticate` of a 401 to a consumer. */
export const BEARER_CHALLENGE = 'Bearer realm="tollgate"';
