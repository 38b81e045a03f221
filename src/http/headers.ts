import { randomUUID } from 'node:crypto';
import { looksLikeKey } from './redact-keys.ts';

/** Headers that frame a message or control its connection, in lower case. */
export const CONNECTION_HEADERS = ['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'] as const;

/** All headers that belong to a single connection, in lower case. A proxy does not pass them on (RFC 9110, 7.6.1). */
export const HOP_BY_HOP = [
  ...CONNECTION_HEADERS,
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
] as const;

/**
 * Additional headers that a `Connection` header makes hop-by-hop, in lower case; null if there are none. Nearly all
 * requests say `keep-alive` or `close`, and these words name no header.
 */
export function namedByConnection(connection: string | readonly string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/**
 * Maximum number of cached names. Clients choose the names, so the cache needs a limit, but nearly all requests use the
 * same few.
 */
const MAX_REMEMBERED = 1000;
/** Maximum length of a cached name. */
const MAX_REMEMBERED_LENGTH = 64;

/**
 * Caches the result of a function of header names, or of other short texts that repeat. Looking up a name as sent is
 * cheaper than lower-casing it first.
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
 * A cookie of the console or portal, at the beginning of a pair of a `Cookie` header or of a `Set-Cookie` value.
 * Browsers trim white space around a name. They send a cookie that has no name (`=a=b`) as its value alone (RFC
 * 6265bis, 5.6 and 5.8.3).
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

/** The caller's `X-Request-Id` if it is fit for a log line, otherwise a new one. */
export function requestIdFrom(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) && !looksLikeKey(given) ? given : randomUUID();
}

/** `WWW-Authenticate` of a 401 to a consumer. */
export const BEARER_CHALLENGE = 'Bearer realm="tollgate"';
