import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isLoopback } from '../../../http/addresses.ts';
import { Refused } from '../http/refused.ts';

/** Where people open the pages of a listener, from `admin.url` or `portal.url`; null if it is not set. */
export type PublicUrl = URL | null;

/**
 * Whether people reach a listener over HTTPS: it has TLS of its own, or its configured URL says that a proxy in front
 * ends it. Decides the name of every cookie that is set and read. Nothing in the request counts, because a program can
 * send any header: it would get a cookie without `__Host-`, which a page of a sibling host can plant in other browsers.
 */
export function isHttps({ socket }: IncomingMessage, publicUrl: PublicUrl): boolean {
  return isEncrypted(socket) || publicUrl?.protocol === 'https:';
}

/**
 * Refuses a change with a session's cookie unless one of our own pages sends it (CSRF). Browsers send `Origin` with
 * every request that is not GET or HEAD. `Sec-Fetch-Site`, which not all of them send, can only refuse.
 *
 * @throws Refused `cross_origin`
 */
export function requireSameOrigin(req: IncomingMessage, publicUrl: PublicUrl): void {
  const { origin } = req.headers;
  refuseOtherSites(req);
  if (origin === undefined || !ownOrigins(req, publicUrl).includes(origin)) throw new Refused('cross_origin');
}

/**
 * Refuses a sign-in that a page of another origin sends: it would put the reader into the attacker's session. Programs,
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
