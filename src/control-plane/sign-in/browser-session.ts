import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { Refused } from '../api-server/refused.ts';
import { isLoopback } from '../../http/addresses.ts';

/**
 * A cookie of one listener, for its whole host. Over HTTPS, its name begins with `__Host-`. Browsers keep such a cookie
 * only if this host itself has set it over HTTPS (RFC 6265bis, 4.1.3.2). The `https` parameter of each function says
 * whether users connect over HTTPS (see `isHttps`).
 */
export class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'Strict' | 'Lax';

  constructor(name: string, sameSite: 'Strict' | 'Lax') {
    this.#name = name;
    this.#sameSite = sameSite;
  }

  getName(https: boolean): string {
    return https ? `__Host-${this.#name}` : this.#name;
  }

  /**
   * The value in a `Cookie` header; null if there is no such cookie, or if there are two, because another service on
   * this host has then added its own.
   */
  read(header: string | undefined, https: boolean): string | null {
    const prefix = `${this.getName(https)}=`;
    // Remove only the spaces that browsers put between cookies. `trim` would also remove a no-break space, and so accept
    // a cookie whose name begins with one. `__Host-` does not protect such a cookie.
    const matches = (header ?? '').split(/;[ \t]*/).filter((pair) => pair.startsWith(prefix));
    return matches.length === 1 ? (matches[0] ?? '').slice(prefix.length) : null;
  }

  /** @param maxAgeMs how long the browser keeps the cookie; 0 deletes it */
  set(https: boolean, value: string, maxAgeMs: number): string {
    const attributes = `Path=/; HttpOnly; SameSite=${this.#sameSite}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
    return `${this.getName(https)}=${value}; ${attributes}${https ? '; Secure' : ''}`;
  }

  clear(https: boolean): string {
    return this.set(https, '', 0);
  }
}

/** The URL where people open the pages of a listener (`admin.url` or `portal.url`); null if it is not set. */
export type PublicUrl = URL | null;

/**
 * Whether users reach a listener over HTTPS: it has its own TLS, or its configured URL says that a proxy in front
 * terminates TLS. The result decides the name of every cookie that is set and read. Headers of the request do not
 * count, because a program can send any header. It could then get a cookie without `__Host-`, and a page of a sibling
 * host can plant such a cookie in other browsers.
 */
export function isHttps({ socket }: IncomingMessage, publicUrl: PublicUrl): boolean {
  return isEncrypted(socket) || publicUrl?.protocol === 'https:';
}

/**
 * Refuses a change that is authorized by a session cookie, unless it comes from one of the gateway's own pages (CSRF).
 * Browsers send `Origin` with every request that is not GET or HEAD. Not all browsers send `Sec-Fetch-Site`, so it is
 * checked only if it is present.
 *
 * @throws Refused `cross_origin`
 */
export function requireSameOrigin(req: IncomingMessage, publicUrl: PublicUrl): void {
  const { origin } = req.headers;
  refuseOtherSites(req);
  if (origin === undefined || !listOwnOrigins(req, publicUrl).includes(origin)) throw new Refused('cross_origin');
}

/**
 * Refuses a sign-in from a page of another origin, because that page could sign the user in to the attacker's session.
 * Programs send neither `Origin` nor `Sec-Fetch-Site`, and may sign in. Also refuses a sign-in if others on the network
 * could read its cookie.
 *
 * @throws Refused `cross_origin`; `insecure_connection` over plain HTTP, except to a loopback address
 */
export function checkSignIn(req: IncomingMessage, publicUrl: PublicUrl): void {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  refuseOtherSites(req);
  const isInsecure = !isHttps(req, publicUrl);
  if (origin === undefined) {
    if (site !== undefined) throw new Refused('cross_origin');
    if (isInsecure && !isLoopback(req.socket.remoteAddress ?? '')) throw new Refused('insecure_connection');
  } else if (!listOwnOrigins(req, publicUrl).includes(origin)) {
    // This may be one of our pages, opened at an address that is not ours: over plain HTTP, or through a proxy that no
    // setting names.
    const isOurPage = site !== undefined || parseUrl(origin)?.host === host;
    throw new Refused(isInsecure && isOurPage ? 'insecure_connection' : 'cross_origin');
  }
}

function refuseOtherSites({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new Refused('cross_origin');
}

/**
 * Origins of our own pages. Plain HTTP is allowed only at loopback addresses. This includes an SSH tunnel that bypasses
 * a proxy with TLS.
 */
function listOwnOrigins(req: IncomingMessage, publicUrl: PublicUrl): string[] {
  const { headers, socket } = req;
  const [secure, plain] = [`https://${headers.host}`, `http://${headers.host}`];
  const origins = publicUrl === null ? [] : [publicUrl.origin];
  if (isHttps(req, publicUrl)) origins.push(secure);
  if (!isEncrypted(socket) && isLoopback(parseUrl(plain)?.hostname ?? '')) origins.push(plain);
  return origins;
}

function parseUrl(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

const MAX_USER_AGENT_LENGTH = 200;

/** The `User-Agent` of a request, shortened and cleaned for display. */
export function readUserAgent({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT_LENGTH);
}

/** Carries the sessions of the console. */
export const consoleCookie = new HostCookie('tollgate-console', 'Strict');

/** Carries the sessions of the portal. */
export const portalCookie = new HostCookie('tollgate-portal', 'Strict');
