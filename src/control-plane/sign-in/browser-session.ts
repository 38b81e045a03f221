import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { Refused } from '../api-server/refused.ts';
import { isLoopback } from '../../http/addresses.ts';

/**
 * A cookie of one listener, for its whole host. Over HTTPS its name begins with `__Host-`: browsers keep such a cookie
 * only if this host itself has set it, over HTTPS (RFC 6265bis, 4.1.3.2). Each function takes whether users connect
 * over HTTPS, see `isHttps`.
 */
export class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'Strict' | 'Lax';

  constructor(name: string, sameSite: 'Strict' | 'Lax') {
    this.#name = name;
    this.#sameSite = sameSite;
  }

  name(https: boolean): string {
    return https ? `__Host-${this.#name}` : this.#name;
  }

  /**
   * The value in a `Cookie` header; null if there is none, or if there are two: another service on this host has then
   * added one of its own.
   */
  read(header: string | undefined, https: boolean): string | null {
    const prefix = `${this.name(https)}=`;
    // Only removes what browsers put between cookies. `trim` would also remove a no-break space, and so read cookies
    // with other names, which `__Host-` does not protect.
    const found = (header ?? '').split(/;[ \t]*/).filter((pair) => pair.startsWith(prefix));
    return found.length === 1 ? (found[0] ?? '').slice(prefix.length) : null;
  }

  /** @param maxAgeMs how long the browser keeps it; 0 deletes it */
  set(https: boolean, value: string, maxAgeMs: number): string {
    const attributes = `Path=/; HttpOnly; SameSite=${this.#sameSite}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
    return `${this.name(https)}=${value}; ${attributes}${https ? '; Secure' : ''}`;
  }

  clear(https: boolean): string {
    return this.set(https, '', 0);
  }
}

/** Where people open the pages of a listener, from `admin.url` or `portal.url`; null if it is not set. */
export type PublicUrl = URL | null;

/**
 * Whether users reach a listener over HTTPS: it has its own TLS, or its configured URL says that a proxy in front
 * terminates TLS. Decides the name of every cookie that is set and read. Nothing in the request counts, because a
 * program can send any header: it would get a cookie without `__Host-`, which a page of a sibling host can plant in
 * other browsers.
 */
export function isHttps({ socket }: IncomingMessage, publicUrl: PublicUrl): boolean {
  return isEncrypted(socket) || publicUrl?.protocol === 'https:';
}

/**
 * Refuses a change with a session's cookie unless it comes from one of the gateway's own pages (CSRF). Browsers send
 * `Origin` with every request that is not GET or HEAD. `Sec-Fetch-Site`, which not all of them send, can only refuse.
 *
 * @throws Refused `cross_origin`
 */
export function requireSameOrigin(req: IncomingMessage, publicUrl: PublicUrl): void {
  const { origin } = req.headers;
  refuseOtherSites(req);
  if (origin === undefined || !ownOrigins(req, publicUrl).includes(origin)) throw new Refused('cross_origin');
}

/**
 * Refuses a sign-in from a page of another origin, which would put the user into the attacker's session. Programs,
 * which send neither `Origin` nor `Sec-Fetch-Site`, may sign in. Also refuses a sign-in whose cookie others on the
 * network could read.
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
  } else if (!ownOrigins(req, publicUrl).includes(origin)) {
    // One of our pages, at an address that is not ours: over plain HTTP, or behind a proxy that no setting names.
    const isOurPage = site !== undefined || parsed(origin)?.host === host;
    throw new Refused(isInsecure && isOurPage ? 'insecure_connection' : 'cross_origin');
  }
}

function refuseOtherSites({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new Refused('cross_origin');
}

/** Origins of our own pages. Plain HTTP only at loopback addresses: with an SSH tunnel, also past a proxy with TLS. */
function ownOrigins(req: IncomingMessage, publicUrl: PublicUrl): string[] {
  const { headers, socket } = req;
  const [secure, plain] = [`https://${headers.host}`, `http://${headers.host}`];
  const own = publicUrl === null ? [] : [publicUrl.origin];
  if (isHttps(req, publicUrl)) own.push(secure);
  if (!isEncrypted(socket) && isLoopback(parsed(plain)?.hostname ?? '')) own.push(plain);
  return own;
}

function parsed(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

const MAX_LENGTH = 200;

/** The browser of a request, as it identifies itself, fit for display. */
export function readUserAgent({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_LENGTH);
}

/** Carries the sessions of the console. */
export const consoleCookie = new HostCookie('tollgate-console', 'Strict');

/** Carries the sessions of the portal. */
export const portalCookie = new HostCookie('tollgate-portal', 'Strict');
