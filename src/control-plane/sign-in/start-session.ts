import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/time.ts';
import type { ClientAddress } from '../../http/addresses.ts';
import type { SignIn, StartedSession } from '../sessions/session-store.ts';
import { type HostCookie, isHttps, type PublicUrl, readUserAgent } from './browser-session.ts';

interface StartSessionDependencies<User, Started extends StartedSession<User> | null> {
  readonly sessions: {
    start(signIn: SignIn<User>): Promise<Started>;
    /** Ends the session of a cookie, if there is one, because the browser has signed in again. */
    endReplaced(cookie: string, secret: string, at: number): Promise<void>;
  };
  readonly cookie: HostCookie;
  readonly publicUrl: PublicUrl;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

/**
 * Signs a user in. Always creates a new session and ends the session that the request came with: somebody else may have
 * planted its cookie in the browser, and could then act as the user.
 *
 * @returns the session, and the value of its `Set-Cookie`; null if `sessions` has started none
 */
export async function startSession<User, Started extends StartedSession<User> | null>(
  { sessions, cookie, publicUrl, clientAddress, clock }: StartSessionDependencies<User, Started>,
  req: IncomingMessage,
  user: User,
): Promise<(NonNullable<Started> & { readonly setCookie: string }) | Extract<Started, null>> {
  const at = clock();
  const https = isHttps(req, publicUrl);
  const name = cookie.name(https);
  const address = clientAddress(req);
  const started = await sessions.start({ user, cookie: name, address, userAgent: readUserAgent(req), at });
  if (started === null) return null as Extract<Started, null>;
  const replaced = cookie.read(req.headers.cookie, https);
  if (replaced !== null) await sessions.endReplaced(name, replaced, at);
  return { ...started, setCookie: cookie.set(https, started.secret, started.session.expiresAt - at) };
}
