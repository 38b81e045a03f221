import { randomUUID } from 'node:crypto';
import { looksLikeKey } from './redact-keys.ts';

/** Headers that frame a message or control its connection, in lower case. */
export const CONNECTION_HEADERS = ['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'] as const;

/** All headers of one connection only, which a proxy does not pass on (RFC 9110, 7.6.1), in lower case. */
export const HOP_BY_HOP = [
  ...CONNECTION_HEADERS,
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
] as const;

/**
 * The further headers that a `Connection` header makes hop-by-hop, in lower case; null if there are none. Nearly all say
 * `keep-alive` or `close`, which name no header.
 */
export function namedByConnection(connection: string | readonly string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/** Maximum of names remembered. Clients choose them, so there is a bound; but nearly all requests use the same few. */
const MAX_REMEMBERED = 1000;
/** Longer names are not remembered. */
const MAX_REMEMBERED_LENGTH = 64;

/** Caches the result of a function of header names. Looking up a name as sent is cheaper than lower-casing it first. */
export function rememberByName<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return function remembered(name) {
    const found = known.get(name);
    if (found !== undefined) return found;
    const answer = ask(name);
    if (name.length > MAX_REMEMBERED_LENGTH) return answer;
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(name, answer);
    return answer;
  };
}

/**
 * A cookie of console or portal, at the beginning of a pair of a `Cookie` header or of a `Set-Cookie` value. Browsers take
 * white space off a name, and send a cookie that has no name (`=a=b`) as its value alone (RFC 6265bis, 5.6 and 5.8.3).
 */
const OWN_COOKIE = /^[\s=]*(?:__(?:Host|Secure)-)?tollgate-(?:console|portal)(?:-oidc)?\s*(?:[=;]|$)/i;

/**
 * Whether a cookie is one of console or portal, which services neither see nor set: cookies are not bound to a port, so
 * browsers use the same ones for every listener of a host.
 */
export function isOwnCookie(pair: string): boolean {
  return OWN_COOKIE.test(pair);
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `X-Request-Id` if it is fit for a log line, else a new one. */
export function requestIdFrom(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) && !looksLikeKey(given) ? given : randomUUID();
}

/** From this `Retry-After` on, a client had better do something else meanwhile. In seconds. */
const LONG_WAIT_S = 60;

/**
 * Whether a library that repeats failed requests by itself should leave a refusal alone: no repetition can mend it, or
 * not for a long time. It then carries `X-Should-Retry: false`, the convention of the SDKs that Stainless generates: some
 * of them ignore a long `Retry-After`, and repeat the request at once.
 *
 * @param headers of the refusal, as flat pairs
 */
export function isRetryUseless(status: number, headers: readonly string[]): boolean {
  const index = headers.indexOf('Retry-After');
  if (index >= 0) return Number(headers[index + 1]) >= LONG_WAIT_S;
  return (status >= 400 && status < 500 && status !== 408) || status === 501;
}

/** `Retry-After` for what may work again in a moment: the smallest value there is. */
export const RETRY_SOON = '1';

/**
 * The value of `Retry-After` (RFC 9110, 10.2.3): whole seconds, at least 1.
 *
 * @param waitMs how long to wait
 */
export function retryAfterSeconds(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1000)));
}
