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
export function namedByConnection(connection: string | readonly string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/**
 * Maximum number of cached names. The cache needs a limit because clients choose the names. Nearly all requests use the
 * same few.
 */
const MAX_REMEMBERED = 1000;
/** Maximum length of a cached name. */
const MAX_REMEMBERED_LENGTH = 64;

/**
 * Wraps a function of header names, or of other short texts that repeat, so that its results are cached. `compute` must
 * not depend on anything else. The name as sent is the cache's key, because lower-casing it first would cost more.
 */
export function cachedByName<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return function lookUp(name) {
    const found = known.get(name);
    if (found !== undefined) return found;
    const answer = compute(name);
    if (name.length > MAX_REMEMBERED_LENGTH) return answer;
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(name, answer);
    return answer;
  };
}

/**
 * Matches the beginning of a `Set-Cookie` value, or of a pair in a `Cookie` header, if the cookie belongs to the console
 * or portal. Allows white space around the name, because browsers trim it. Allows a leading `=`, because browsers send a
 * cookie without a name (`=a=b`) as its value alone (RFC 6265bis, 5.6 and 5.8.3).
 */
const OWN_COOKIE = /^[\s=]*(?:__(?:Host|Secure)-)?tollgate-(?:console|portal)(?:-oidc)?\s*(?:[=;]|$)/i;

/**
 * Whether a cookie belongs to the console or portal. Cookies are not bound to a port, so browsers use the same cookies
 * for every listener of a host. Services must neither see nor set the cookies of the console and portal.
 */
export function isOwnCookie(pair: string): boolean {
  return OWN_COOKIE.test(pair);
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is safe to log, otherwise a new id. */
export function requestIdFrom(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) && !looksLikeKey(given) ? given : randomUUID();
}

/** `WWW-Authenticate` of a 401 to a consumer. */
export const BEARER_CHALLENGE = 'Bearer realm="tollgate"';
