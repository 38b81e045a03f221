import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isLoopback } from '../../base/loopback.ts';
import { Refused } from '../http/refused.ts';

/** The address of the console as people open it, from `admin.url`; null if it is not set. */
export type PublicUrl = URL | null;

/**
 * Refuses a change that carries a cookie unless it comes from the console itself (CSRF). Browsers say so in
 * `Sec-Fetch-Site`, over HTTPS and on loopback addresses; older ones and others only in `Origin`, which also tells
 * `http` from `https`.
 *
 * @param secure whether the cookie is one for HTTPS
 * @throws Refused `cross_origin`
 */
export function requireSameOrigin({ headers }: IncomingMessage, secure: boolean, publicUrl: PublicUrl): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  const own = [publicUrl?.origin, `${secure ? 'https' : 'http'}://${headers.host}`];
  if (site !== undefined || headers.origin === undefined || !own.includes(headers.origin)) {
    throw new Refused('cross_origin');
  }
}

/**
 * Refuses a sign-in that a page of another origin sends: it would put the reader into somebody else's session. Unlike a
 * change with a cookie, it may come from a program, which sends neither header.
 *
 * @throws Refused `cross_origin`
 */
export function refuseOtherOrigins(req: IncomingMessage, publicUrl: PublicUrl): void {
  const { 'sec-fetch-site': site, origin } = req.headers;
  if (site === undefined && origin === undefined) return;
  requireSameOrigin(req, origin?.startsWith('https:') === true, publicUrl);
}

/**
 * Whether the browser speaks HTTPS, so that its cookie can be one for HTTPS. The browser's own word counts, `Origin`: a
 * proxy may have ended TLS, and may come from a loopback address.
 *
 * @throws Refused `insecure_connection` over plain HTTP, except to a loopback address
 */
export function isSecure({ headers: { origin }, socket }: IncomingMessage, publicUrl: PublicUrl): boolean {
  const url = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  if (url?.protocol === 'https:') return true;
  if (url === null) {
    if ((socket as Partial<TLSSocket>).encrypted === true || publicUrl?.protocol === 'https:') return true;
    if (isLoopback(socket.remoteAddress ?? '')) return false;
  } else if (isLoopback(url.hostname)) return false;
  throw new Refused('insecure_connection');
}
